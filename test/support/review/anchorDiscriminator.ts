import { createHash } from 'node:crypto';

/** What the data of an Anchor instruction begins with, in hex: the first eight bytes of sha256("global:" + name). */
export function anchorDiscriminator(name: string): string {
  return createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16);
}
