/** What a notice can be about. */
export type NoticeKind =
  | 'leftRange'
  | 'enteredRange'
  | 'pnlAbove'
  | 'pnlBelow'
  | 'feesAbove'
  | 'operationEnded'
  | 'autoRebalanceAsks'
  | 'autoRebalanceActs'
  | 'test';

/** Figures of a notice, for those who asked for them. */
export interface NoticeFigures {
  /** PnL in percent of the deposits, in US dollars. */
  readonly pnlPercent?: number | undefined;
  /** Unclaimed fees. */
  readonly feesUsd?: number | undefined;
}

/**
 * What a notice says outside the editor. It never contains addresses of wallets, positions or transactions, and nothing of a key. Texts are
 * one line and safe wherever they are shown: names from the network went through {@link outsideName}.
 */
export interface OutsideNotice {
  readonly kind: NoticeKind;
  /** `undefined`: it is about no pair. */
  readonly pair: string | undefined;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The pair and what happened, without figures. */
  readonly brief: string;
  /** The same with its figures. */
  readonly full: string;
  readonly figures: NoticeFigures;
  /** It happened in the sandbox, with pretend money. */
  readonly isSandbox: boolean;
}

const LONGEST_PART = 20;
/** Letters and digits of all scripts, without the characters that could become a link, a mention or markup. */
const UNSAFE = /[^\p{L}\p{N} $+-]+/gu;

/**
 * Makes the name of a pair safe outside the editor. Programs there turn bare domains, `@names` and Markdown into links, and a token may be
 * named like a website: "claim-usdc.com/SOL" becomes "claim-usdc·com/SOL".
 */
export function outsideName(pairName: string): string {
  const parts = pairName.slice(0, 200).normalize('NFKC').split('/').slice(0, 2);
  return parts.map((part) => Array.from(part.replace(UNSAFE, '·').trim()).slice(0, LONGEST_PART).join('')).join('/');
}
