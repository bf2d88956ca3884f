/** The payloads that the readers of hooks know, against what the vendors' newest packages say of them. */

import { describe, expect, it } from 'vitest';
import known from './fields.json' with { type: 'json' };
import { type Fields, fieldsOf, VENDORS } from './vendors.ts';

interface Known {
  /** The version of the package with which the list was made. */
  version: string;
  /** All fields of what hooks are told: a new one may be one to read. */
  events: Fields;
  /** Fields of tools that are read. */
  read: Fields;
}

const missing = (from: Fields, what: Fields): string[] =>
  Object.entries(what).flatMap(([type, fields]) =>
    fields.filter(field => !from[type]?.includes(field)).map(field => `${type}.${field}`),
  );

describe.each(Object.entries(known as Readonly<Record<string, Known>>))(
  '%s',
  (name, { version, events, read }) => {
    it(`has the fields that it had in ${version}, and no new ones`, { timeout: 600_000 }, () => {
      const all = { ...events, ...read };
      const now = fieldsOf(VENDORS[name]!, Object.keys(all));
      console.log(`${name} ${now.version}: ${Object.keys(all).length} types`);
      const told = Object.fromEntries(Object.keys(events).map(type => [type, now.fields[type]!]));
      expect({ gone: missing(now.fields, all), new: missing(events, told) }).toEqual({ gone: [], new: [] });
    });
  },
);
