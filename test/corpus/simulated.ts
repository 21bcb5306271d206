import type { Address } from '../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { parseTransaction } from '../../src/base/solana/wireTransaction';
import { NO_FACTS, type ChainFacts, type InnerInstruction, type SimulatedTransaction } from '../../src/review/facts/facts';
import type { CaseInput } from '../../src/review/report/caseFormat';
import {
  addressOf,
  bytesOf,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  removal,
  route,
  THIEF,
  tokenAmount,
  transferSol,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../support/review/bundles';
import { byLiquidity, SHOWN_PRICE } from '../support/review/deposits';
import { createDamm, NFT_KEY } from '../support/review/meteoraDrafts';
import { RICH, simulated, type States, tokens, wallet } from '../support/review/simulations';
import { attack, inputOf, type Attack } from './attack';
import { IN, OUT } from './plant';

// Attacks that only a simulation shows (SIM): honest bytes whose programs do something else.

const OTHER_MINT = addressOf('another mint');
const OTHER_ACCOUNT = addressOf('an account of the owner');

const factsOf = (...transactions: readonly SimulatedTransaction[]): ChainFacts => ({ ...NO_FACTS, simulation: { slot: 7n, transactions } });
const CLOSE: Draft = { group: 'close', instructions: [removal(), transferSol(OWNER, 0n)] };
const SWAP: Draft = { group: 'swap', instructions: [route()] };

const closing = (before: States, after: States, more: Partial<SimulatedTransaction> = {}): CaseInput =>
  inputOf(ZAP_OUT, [CLOSE], { facts: factsOf(simulated(before, after, more)) });
const swapping = (sold: bigint, bought: bigint): CaseInput =>
  inputOf(ZAP_OUT, [SWAP], {
    facts: factsOf(
      simulated(
        { [OWN_TOKEN]: tokens(MINT, 9_000_000n) },
        { [OWN_TOKEN]: tokens(MINT, 9_000_000n - sold), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, bought) },
      ),
    ),
  });

/** An inner instruction of a program of the honest transaction, with its account indexes in the message. */
function calling(program: Address, accounts: readonly Address[], data: readonly number[]): CaseInput {
  const keys = parseTransaction(bytesOf(CLOSE)).staticKeys;
  const inner = {
    programIdIndex: keys.indexOf(program),
    accountIndexes: accounts.map((account) => keys.indexOf(account)),
    data: new Uint8Array(data),
  };
  return inputOf(ZAP_OUT, [CLOSE], { facts: factsOf(simulated({}, {}, { innerInstructions: [inner] })) });
}

/** A deposit into DAMM v2 at the shown price, which puts so much of both tokens into the pool, by the balances or by the transfers alone. */
function depositing(moved: bigint, how: 'balances' | 'transfers'): CaseInput {
  const add: Draft = { group: 'add', version: 'legacy', instructions: [createDamm(), byLiquidity()], signers: [NFT_KEY] };
  const keys = parseTransaction(bytesOf(add)).staticKeys;
  const after = RICH - (how === 'balances' ? moved : 0n);
  const transfer = (from: Address): InnerInstruction => ({
    calledBy: 1,
    programIdIndex: keys.indexOf(PROGRAMS.token),
    accountIndexes: [from, POOL, OWNER].map((account) => keys.indexOf(account)),
    data: new Uint8Array(tokenAmount(3, moved)),
  });
  return inputOf(SHOWN_PRICE, [add], {
    facts: factsOf(
      simulated(
        { [OWN_TOKEN]: tokens(MINT, RICH), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, RICH) },
        { [OWN_TOKEN]: tokens(MINT, after), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, after) },
        { innerInstructions: how === 'transfers' ? [OWN_TOKEN, OWN_SOL].map(transfer) : [] },
      ),
    ),
  });
}

export const SIMULATED: readonly Attack[] = [
  attack('SIM-6', 'puts much less into the position than it states', 'confirm SIM-6', () => ({
    'by the balances': depositing(70_000_000n, 'balances'),
    'by the transfers': depositing(70_000_000n, 'transfers'),
    'a little below the tolerance': depositing(486_000_000n, 'balances'),
  })),
  attack('SIM-1', 'moves SOL out of the wallet without an instruction for it', 'block SIM-1', () => ({
    'a little above the tolerance': closing({}, { [OWNER]: wallet(RICH - 2_005_001n) }),
    'all of it': closing({}, { [OWNER]: wallet(0n) }),
    'in the second transaction': inputOf(ZAP_OUT, [CLOSE, { ...CLOSE, blockhash: addressOf('later') }], {
      facts: factsOf(simulated({}, {}), simulated({}, { [OWNER]: wallet(RICH - 1_000_000_000n) })),
    }),
    'more than the input of a zap-in': inputOf(ZAP_IN, IN.drafts(0), {
      facts: factsOf(
        simulated(
          {},
          {
            [OWNER]: wallet(RICH - 3_000_000_000n),
            [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 500_000_000n),
            [OWN_TOKEN]: tokens(MINT, 4_000_000n),
          },
        ),
      ),
    }),
  })),
  attack('SIM-2', 'changes token balances without an instruction for it', 'block SIM-2', () => ({
    'of another kind': closing({ [OTHER_ACCOUNT]: tokens(OTHER_MINT, 7n) }, { [OTHER_ACCOUNT]: tokens(OTHER_MINT, 0n) }),
    'an account that no longer exists afterwards': closing({ [OTHER_ACCOUNT]: tokens(OTHER_MINT, 7n) }, {}),
    "the pool's, in a withdrawal": closing({ [OWN_TOKEN]: tokens(MINT, 10n) }, { [OWN_TOKEN]: tokens(MINT, 9n) }),
    'sells more than the swap states': swapping(5_000_001n, 388_000_000n),
    'buys less than the swap states': swapping(5_000_000n, 387_999_999n),
    'nothing bought': swapping(5_000_000n, 0n),
  })),
  attack(
    'SIM-2',
    'reduces the balances over the whole operation although each transaction matches its instructions',
    'block SIM-2',
    () => ({
      'more sold than withdrawn': inputOf(ZAP_OUT, [CLOSE, SWAP], {
        facts: factsOf(
          simulated({ [OWN_TOKEN]: tokens(MINT, 9_000_000n) }, { [OWN_TOKEN]: tokens(MINT, 10_000_000n) }),
          simulated(
            { [OWN_TOKEN]: tokens(MINT, 10_000_000n) },
            { [OWN_TOKEN]: tokens(MINT, 5_000_000n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 388_000_000n) },
          ),
        ),
      }),
      'a planned sale of more than the withdrawal returned': inputOf(ZAP_OUT, [CLOSE, SWAP], {
        facts: factsOf(simulated({ [OWN_TOKEN]: tokens(MINT, 9_000_000n) }, { [OWN_TOKEN]: tokens(MINT, 10_000_000n) })),
      }),
    }),
  ),
  attack('SIM-2', 'slightly reduces the balances over the whole operation', 'confirm SIM-2', () => ({
    'by 5% of what is sold': inputOf(ZAP_OUT, [CLOSE, SWAP], {
      facts: factsOf(simulated({ [OWN_TOKEN]: tokens(MINT, 9_000_000n) }, { [OWN_TOKEN]: tokens(MINT, 13_750_000n) })),
    }),
  })),
  attack('SWP-9', 'quotes far below the real swap output, but well by every listed price', 'block SWP-9', () => ({
    'more than twice as much': swapping(5_000_000n, 800_000_001n),
    'a million times as much': swapping(5_000_000n, 400_000_000_000_000n),
    'in a zap-in': inputOf(ZAP_IN, IN.drafts(0), {
      facts: factsOf(
        simulated(
          {},
          {
            [OWNER]: wallet(RICH - 1_004_098_560n),
            [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 500_000_000n),
            [OWN_TOKEN]: tokens(MINT, 40_000_000n),
          },
        ),
      ),
    }),
  })),
  attack('SWP-9', 'quotes somewhat below the real swap output', 'confirm SWP-9', () => ({ 'by 20%': swapping(5_000_000n, 500_000_000n) })),
  attack('SIM-3', "takes control of the owner's accounts", 'block SIM-3', () => ({
    'a program owns the wallet': closing({}, { [OWNER]: wallet(RICH, THIEF) }),
    'data in the wallet': closing({}, { [OWNER]: wallet(RICH, PROGRAMS.system, new Uint8Array(1)) }),
    'a stranger owns a token account': closing({ [OWN_TOKEN]: tokens(MINT, 5n) }, { [OWN_TOKEN]: tokens(MINT, 5n, { owner: THIEF }) }),
    'a stranger is the delegate': closing({ [OWN_TOKEN]: tokens(MINT, 5n) }, { [OWN_TOKEN]: tokens(MINT, 5n, { delegate: THIEF }) }),
    'a stranger has the close authority': closing(
      { [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 5n) },
      { [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 5n, { closeAuthority: THIEF }) },
    ),
  })),
  attack('SIM-4', "has a called program act in the owner's name", 'block SIM-4', () => ({
    approves: calling(PROGRAMS.token, [OWN_TOKEN, OWN_SOL, OWNER], [4, 1, 0, 0, 0, 0, 0, 0, 0]),
    'changes an authority': calling(PROGRAMS.token, [OWN_TOKEN, OWNER], [6, 2, 0]),
    assigns: calling(PROGRAMS.system, [OWNER], [1, 0, 0, 0]),
    'hides it in a batch': calling(PROGRAMS.token, [OWN_TOKEN, OWNER], [255, 1]),
  })),
  attack('SIM-5', 'sends a transaction that would fail or that the simulation does not show', 'confirm SIM-5', () => ({
    fails: closing({}, {}, { error: 'custom program error: 0x1' }),
    'nothing about the wallet': closing({}, {}, { before: new Map() }),
  })),
  attack('SIM-5', 'relies on a clean simulation for a forbidden instruction', 'block SYS-1', () => ({
    'zap-out': inputOf(ZAP_OUT, [{ ...CLOSE, instructions: [removal(), transferSol(THIEF, 10_000_000n)] }], {
      facts: factsOf(simulated({}, {})),
    }),
    'in a transaction that was not simulated': inputOf(
      ZAP_OUT,
      [...OUT.drafts(0), { group: 'swap', instructions: [transferSol(THIEF, 10_000_000n)] }],
      { facts: factsOf(simulated({}, {})) },
    ),
  })),
];
