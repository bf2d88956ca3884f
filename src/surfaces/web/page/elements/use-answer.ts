/** A question of a view to the server, as long as the view is about the same. */

import { useEffect, useState } from 'preact/hooks';
import type { Answered } from '../connection/net.ts';

/** Asks each time that `what` is another; `null` until it is answered, and where `what` is nothing. */
export function useAnswer(what: string | false | undefined, ask: () => Promise<Answered>): Answered | null {
  const [shown, show] = useState<Answered | null>(null);
  useEffect(() => {
    if (what === undefined || what === false) return;
    let isMeant = true;
    show(null);
    void ask().then(answered => isMeant && show(answered));
    return () => {
      isMeant = false;
    };
  }, [what]);
  return shown;
}
