/** A call of a tool that is not there: its refusal names the one that was meant, as it is offered. */

import { shortened } from '../../edits/input-problems.ts';
import { EditError } from '../../errors.ts';
import { closestName, toolMeant } from '../../near-names.ts';

/** A tool under the name that it is offered by; `tool` is its own. */
interface Named {
  name: string;
  tool: string;
}

export function unknownTool(given: unknown, offered: readonly Named[]): EditError {
  const names = offered.map(one => one.name);
  const meant = meantBy(given, offered);
  const words = meant === null ? '' : ` Did you mean ${meant}?`;
  const message = `There is no tool ${shortened(given)}.${words} The tools are ${names.join(', ')}.`;
  const suggestion = meant === null ? {} : { suggestion: meant };
  return new EditError('INVALID_INPUT', message, { tools: names, ...suggestion });
}

function meantBy(given: unknown, offered: readonly Named[]): string | null {
  const own = toolMeant(
    given,
    offered.map(one => one.tool),
  );
  const same = offered.find(one => one.tool === own);
  const names = offered.map(one => one.name);
  return same?.name ?? (typeof given === 'string' ? closestName(given, names) : null);
}
