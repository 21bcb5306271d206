import * as l10n from '@vscode/l10n';
import { exactAmount } from '../../base/format/amounts';
import { usdShort } from '../../base/format/money';
import { decimalText, enterAmountText, moreThanZeroText, readDecimal } from '../../base/format/typedNumbers';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { exactAmountOf, type TokenBalance } from '../../service/tokens';
import type { SwappedToken } from '../../transactions/types';
import { type CommandHandler, type CommandHandlers, type CommandTarget, offeringFreshQuote } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { PickItem, Prompts, Reading } from '../shell/prompts/prompts';
import { withRequestWait } from '../shell/requestWait';
import { requireSigningOwner } from '../wallets/walletSelection';
import { tokenName } from './movedTokens';
import type { OperationCommandDependencies } from './zapCommands';
import { inProgressText } from './operationMessages';
import { loadingBalancesText } from './zapInDraft';

/** A token of the wallet with an exact amount. */
interface HeldToken {
  readonly token: SwappedToken & { readonly decimals: number };
  readonly amountRaw: bigint;
}

/** The commands that exchange tokens of the wallet, on the rows of the Wallet view. */
export function swapCommands(
  dependencies: OperationCommandDependencies,
): Pick<CommandHandlers, 'binsight.swapToSol' | 'binsight.unwrapSol'> {
  return { 'binsight.swapToSol': swapToSol(dependencies), 'binsight.unwrapSol': unwrapSol(dependencies) };
}

function swapToSol(dependencies: OperationCommandDependencies): CommandHandler {
  const { prompts, runner, slippageBps } = dependencies;
  return async (target) => {
    const { address: owner } = requireSigningOwner(dependencies);
    const balances = await balancesOf(owner, dependencies);
    const held = await chosenToken(target, balances.flatMap(heldToken), prompts);
    const amountRaw = held && (await askAmount(held, prompts));
    if (held === undefined || amountRaw === undefined) {
      return;
    }
    const sol = balances.find(({ mint }) => mint === WRAPPED_SOL_MINT);
    const bought = { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: SOL_DECIMALS, priceUsd: sol?.priceUsd };
    const plan = { owner, sold: held.token, bought, amountRaw, slippageBps: slippageBps(), solUsd: sol?.priceUsd };
    await runOnToken(held.token.mint, dependencies, async (isAgain) => (await runner()).swap(plan, { isAgain }));
  };
}

function unwrapSol(dependencies: OperationCommandDependencies): CommandHandler {
  const { runner } = dependencies;
  return async () => {
    const { address: owner } = requireSigningOwner(dependencies);
    const sol = (await balancesOf(owner, dependencies)).find(({ mint }) => mint === WRAPPED_SOL_MINT);
    const lamports = sol?.wrappedLamports ?? 0n;
    if (lamports === 0n) {
      throw new UserError(l10n.t('The wallet has no wrapped SOL.'));
    }
    await runOnToken(WRAPPED_SOL_MINT, dependencies, async (isAgain) =>
      (await runner()).unwrap({ owner, lamports, solUsd: sol?.priceUsd }, { isAgain }),
    );
  };
}

async function runOnToken(
  mint: Address,
  { busy }: Pick<OperationCommandDependencies, 'busy'>,
  run: (isAgain: boolean) => Promise<unknown>,
): Promise<void> {
  await offeringFreshQuote(async (isAgain) => {
    if ((await busy.during(`token:${mint}`, () => run(isAgain))) === undefined) {
      throw new UserError(inProgressText());
    }
  });
}

async function balancesOf(
  owner: Address,
  { prompts, connect, waiting }: Pick<OperationCommandDependencies, 'prompts' | 'connect' | 'waiting'>,
): Promise<readonly TokenBalance[]> {
  const title = loadingBalancesText();
  return prompts.progress({ title, cancellable: true, onlyIfSlow: true }, async (show, signal) => {
    const service = await connect();
    const { items } = await withRequestWait({ title, show }, waiting, (pace) => service.tokenBalances({ owner }, { signal, pace }));
    return items;
  });
}

const noTokensToSwap = (): string => l10n.t('The wallet has no token to swap, or the service does not report how much.');

/** A token that can be swapped to SOL: there is some of it, and how much is known exactly. */
function heldToken(balance: TokenBalance): readonly HeldToken[] {
  const { mint, symbol, decimals, priceUsd } = balance;
  const amountRaw = decimals === undefined ? undefined : exactAmountOf(balance, decimals);
  return mint === WRAPPED_SOL_MINT || decimals === undefined || amountRaw === undefined || amountRaw <= 0n
    ? []
    : [{ token: { mint, symbol, decimals, priceUsd }, amountRaw }];
}

/** @throws UserError if there is no such token, or the one that the command was invoked on is gone */
async function chosenToken(
  target: CommandTarget | undefined,
  tokens: readonly HeldToken[],
  prompts: Pick<Prompts, 'pick'>,
): Promise<HeldToken | undefined> {
  if (target?.kind === 'account') {
    const held = tokens.find(({ token }) => token.mint === target.address);
    if (held === undefined) {
      throw new UserError(noTokensToSwap());
    }
    return held;
  }
  if (tokens.length === 0) {
    throw new UserError(noTokensToSwap());
  }
  const answer = await prompts.pick({
    title: title(),
    placeholder: l10n.t('Choose a token'),
    items: [...tokens].sort((one, other) => worth(other) - worth(one)).map((held) => item(held, held.amountRaw, held)),
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** All of it, or what the user types. */
async function askAmount(held: HeldToken, prompts: Pick<Prompts, 'pick' | 'input'>): Promise<bigint | undefined> {
  const { token, amountRaw: all } = held;
  const available = `${exactAmount(all, token.decimals)} ${tokenName(token)}`;
  const share = await prompts.pick<bigint | 'own'>({
    title: title(),
    placeholder: l10n.t`Amount (wallet: ${available})`,
    items: [
      { ...item<bigint | 'own'>(held, all, all), detail: l10n.t('all') },
      { label: l10n.t('Other…'), icon: 'edit', value: 'own' },
    ],
  });
  if (share.kind !== 'value' || share.value !== 'own') {
    return share.kind === 'value' && share.value !== 'own' ? share.value : undefined;
  }
  const typed = await prompts.input({
    title: title(),
    prompt: l10n.t`At most ${available}.`,
    placeholder: decimalText(all / 2n, token.decimals),
    read: (text) => readAmount(text, held),
  });
  return typed.kind === 'value' ? typed.value : undefined;
}

function readAmount(text: string, { token: { decimals, ...token }, amountRaw: all }: HeldToken): Reading<bigint> {
  const name = tokenName(token);
  const reading = readDecimal(text, decimals);
  if (!reading.ok) {
    return { ok: false, message: reading.message ?? enterAmountText(name, decimals) };
  }
  if (reading.value === 0n) {
    return { ok: false, message: moreThanZeroText() };
  }
  return reading.value > all
    ? { ok: false, message: l10n.t`At most ${`${decimalText(all, decimals)} ${name}`}.` }
    : { ok: true, value: reading.value };
}

const title = (): string => l10n.t('Swap to SOL');

function item<Value>({ token }: HeldToken, amountRaw: bigint, value: Value): PickItem<Value> {
  const usd = worth({ token, amountRaw });
  return {
    label: `${exactAmount(amountRaw, token.decimals)} ${tokenName(token)}`,
    ...(usd > 0 ? { description: usdShort(usd) } : {}),
    value,
  };
}

/** US dollars; 0 without a price. */
function worth({ token: { decimals, priceUsd = 0 }, amountRaw }: HeldToken): number {
  return (Number(amountRaw) / 10 ** decimals) * priceUsd;
}
