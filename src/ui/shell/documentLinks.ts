import { withoutLinks } from '../../base/text';

/** What Binsight itself links to: a transaction, by its signature. */
const OWN_LINK = /<https:\/\/solscan\.io\/tx\/[1-9A-HJ-NP-Za-km-z]{64,88}>/g;

/**
 * Takes all links out of a document but Binsight's own. VS Code makes a link of every address in a text document, in code and after a backslash
 * too, so that what a token, a memo or a service says would lead somewhere.
 */
export function withOwnLinksOnly(markdown: string): string {
  const own = markdown.match(OWN_LINK) ?? [];
  return markdown
    .split(OWN_LINK)
    .map((text, place) => `${withoutLinks(text)}${own[place] ?? ''}`)
    .join('');
}
