import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { type Base64Transaction, parseTransaction } from '../../../../src/base/solana/wireTransaction';
import type { LiquidityService } from '../../../../src/service/service';
import { addressOf, base64Of, honestZapOut, key, MINT, OWN_TOKEN, OWNER, POOL } from '../../review/bundles';
import { asOf, type Script, type ScriptedNode, written } from '../../rpc/scriptedNode';
import { type Bench, DECREASE_BUILD } from '../harness';
import { splToken } from '../inspect/splToken';

const MOST_BUILDS = 30;

/** A service that builds the same withdrawal each time, with another blockhash: what lands tells which one it was. */
export function buildingAnew(): Pick<LiquidityService, 'buildDecrease'> {
  let built = 0;
  return {
    buildDecrease: () => {
      built += 1;
      const [close, ...swaps] = honestZapOut().map((draft) => base64Of({ ...draft, blockhash: addressOf(`blockhash ${built}`) }));
      return Promise.resolve({
        closeTransactions: close === undefined ? [] : [close],
        swapTransactions: swaps,
        lastValidBlockHeight: DECREASE_BUILD.lastValidBlockHeight,
      });
    },
  };
}

/** The number of the build that a transaction is of; 0: another one. */
function buildOf(base64: Base64Transaction): number {
  const { recentBlockhash } = parseTransaction(new Uint8Array(Buffer.from(base64, 'base64')));
  return (
    Array.from({ length: MOST_BUILDS }, (_, index) => index + 1).find((build) => addressOf(`blockhash ${build}`) === recentBlockhash) ?? 0
  );
}

/** The builds that were handed over to be landed, each once. */
export function landedBuilds({ trace }: Bench): readonly number[] {
  const signed = trace.landings.flatMap((landing) =>
    'closeTransactions' in landing ? [...landing.closeTransactions, ...landing.swapTransactions] : [],
  );
  return [...new Set(signed.map(buildOf))];
}

/** The builds that a node was asked to simulate, in order. */
export function simulatedBuilds({ received }: ScriptedNode): readonly number[] {
  return received.filter(({ method }) => method === 'simulateTransaction').map(({ params }) => buildOf(params[0] as Base64Transaction));
}

/** What a node says of every transaction that it is asked to simulate. */
export interface WithdrawalWorld {
  error: string | null;
  /** The numbers of the builds whose blockhash the node does not accept, and how it says so. */
  readonly expired: Map<number, string>;
  /** What the owner's wallet holds afterwards, lamports. */
  after: number;
}

/** What the wallet holds before, lamports. */
const BEFORE = 10_000_000_000;

/** The owner's token account with what the withdrawal brings: as much as the swap sells. */
const WITHDRAWN = new Uint8Array(splToken.AccountLayout.span);
splToken.AccountLayout.encode(
  {
    mint: key(MINT),
    owner: key(OWNER),
    amount: 5_000_000n,
    delegateOption: 0,
    delegate: key(PROGRAMS.system),
    state: splToken.AccountState.Initialized,
    isNativeOption: 0,
    isNative: 0n,
    delegatedAmount: 0n,
    closeAuthorityOption: 0,
    closeAuthority: key(PROGRAMS.system),
  },
  WITHDRAWN,
);

/** The pool at 80 lamports for a raw unit of the token, as the user is shown it: bin 440 of steps of 1%. Offsets: DLMM IDL, `LbPair`. */
const LB_PAIR = Buffer.alloc(904);
LB_PAIR.set(Buffer.from('210b3162b565b10d', 'hex'));
LB_PAIR.writeInt32LE(440, 76);
LB_PAIR.writeUInt16LE(100, 80);
LB_PAIR.set(key(MINT).toBytes(), 88);
LB_PAIR.set(key(WRAPPED_SOL_MINT).toBytes(), 120);

export function calmWorld(): WithdrawalWorld {
  return { error: null, expired: new Map(), after: BEFORE };
}

/** 100 blocks before the last valid one of the builds. */
const HEIGHT = DECREASE_BUILD.lastValidBlockHeight - 100;

/** A node that has the wallet and the pool, and nothing else, and which simulates single transactions. */
export function nodeOf(world: WithdrawalWorld): Readonly<Record<string, Script>> {
  const stateOf = (address: string, lamports: number) =>
    address === OWNER ? written(PROGRAMS.system, new Uint8Array(), lamports) : address === POOL ? written(PROGRAMS.dlmm, LB_PAIR) : null;
  const stateAfter = (address: string) =>
    address === OWN_TOKEN ? written(PROGRAMS.token, WITHDRAWN, 2_039_280) : stateOf(address, world.after);
  return {
    getMultipleAccounts: { byParams: ([addresses]) => asOf((addresses as readonly string[]).map((one) => stateOf(one, BEFORE))) },
    isBlockhashValid: asOf(true),
    getBlockHeight: { result: HEIGHT },
    // It has every transaction that it is asked for.
    getSignatureStatuses: {
      byParams: ([signatures]) =>
        asOf((signatures as readonly string[]).map(() => ({ slot: 7, err: null, confirmations: null, confirmationStatus: 'confirmed' }))),
    },
    simulateTransaction: {
      byParams: (params) => {
        const error = world.expired.get(buildOf(params[0] as Base64Transaction)) ?? world.error;
        const { addresses } = (params[1] as { readonly accounts: { readonly addresses: readonly string[] } }).accounts;
        return asOf({ err: error, accounts: addresses.map(stateAfter), innerInstructions: [] });
      },
    },
  };
}
