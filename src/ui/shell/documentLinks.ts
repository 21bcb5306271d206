import { withoutLinks } from '../../base/text';

/** Links that Binsight creates: to a transaction, by its signature. */
const OWN_LINK = /<https:\/\/solscan\.io\/tx\/[1-9A-HJ-NP-Za-km-z]{64,88}>/g;

/**
 * Removes all links except Binsight's own from a document. VS Code turns every URL in a text document into a link, even in code or after a
 * backslash, so a token name, a memo or a service message could link anywhere.
 */
export function withOwnLinksOnly(markdown: string): string {
  const own = markdown.match(OWN_LINK) ?? [];
  return markdown
    .split(OWN_LINK)
    .map((text, place) => `${withoutLinks(text)}${own[place] ?? ''}`)
    .join('');
}
