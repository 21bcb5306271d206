import * as z from 'zod';
import { CallLimit, MOST_CALLS_PER_MINUTE } from './callLimit';
import { type ToolContext, ToolError } from './context';
import { isToolName, type OutputOf, TOOLS, type ToolName } from './definitions';
import { listPools, planCost, showPool } from './poolTools';
import { listPositions, showPosition } from './positionTools';
import { proposeClaim, proposeRebalance, proposeZapIn, proposeZapOut } from './proposalTools';
import { listHistory, showOverview } from './resultTools';
import { untrustedMessage } from './untrusted';

/** The answer of a tool, as JSON. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly json: string;
}

export type RunTool = (name: string, input: unknown, signal: AbortSignal) => Promise<ToolAnswer>;

export interface ToolDependencies extends Omit<ToolContext, 'signal'> {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Called with what the tools throw unexpectedly, or because of the service. */
  readonly onError: (error: unknown) => void;
}

/** A longer answer would fill the context of a model. Lists have their own limits, so only odd answers of the service reach this. */
const MOST_ANSWER_CHARACTERS = 100_000;
/** More digits of a figure only take up the context of a model. Amounts below ten thousand SOL keep all their decimals. */
const MOST_DIGITS = 13;
/** Longest part of a problem with the input that is reported. */
const MOST_PROBLEM_CHARACTERS = 500;

type Runner<Name extends ToolName> = (input: unknown, context: ToolContext) => Promise<OutputOf<Name>>;

const RUNNERS: { readonly [Name in ToolName]: Runner<Name> } = {
  binsight_positions: parsing(TOOLS.binsight_positions.input, listPositions),
  binsight_position: parsing(TOOLS.binsight_position.input, showPosition),
  binsight_pools: parsing(TOOLS.binsight_pools.input, listPools),
  binsight_pool: parsing(TOOLS.binsight_pool.input, showPool),
  binsight_overview: parsing(TOOLS.binsight_overview.input, showOverview),
  binsight_history: parsing(TOOLS.binsight_history.input, listHistory),
  binsight_plan_cost: parsing(TOOLS.binsight_plan_cost.input, planCost),
  binsight_propose_zap_out: parsing(TOOLS.binsight_propose_zap_out.input, proposeZapOut),
  binsight_propose_zap_in: parsing(TOOLS.binsight_propose_zap_in.input, proposeZapIn),
  binsight_propose_claim: parsing(TOOLS.binsight_propose_claim.input, proposeClaim),
  binsight_propose_rebalance: parsing(TOOLS.binsight_propose_rebalance.input, proposeRebalance),
};

function parsing<Schema extends z.ZodType, Output>(
  schema: Schema,
  run: (input: z.output<Schema>, context: ToolContext) => Promise<Output>,
): (input: unknown, context: ToolContext) => Promise<Output> {
  return async (input, context) => {
    const read = schema.safeParse(input ?? {});
    if (!read.success) {
      throw new ToolError(`The input is invalid: ${z.prettifyError(read.error).slice(0, MOST_PROBLEM_CHARACTERS)}`);
    }
    return run(read.data, context);
  };
}

/**
 * Makes the function that runs tools: it parses the input, limits how often tools run, and never rejects. It can do no more than
 * `dependencies` offers: read figures, and open the dialog about a proposal.
 */
export function createRunTool({ nowMs, onError, ...context }: ToolDependencies): RunTool {
  const limit = new CallLimit(MOST_CALLS_PER_MINUTE, nowMs);
  return async (name, input, signal) => {
    try {
      if (!isToolName(name)) {
        throw new ToolError('There is no tool with this name.');
      }
      if (!limit.take()) {
        throw new ToolError(`At most ${MOST_CALLS_PER_MINUTE} calls a minute. Wait a minute, and use what you have read.`);
      }
      const json = JSON.stringify(await RUNNERS[name](input, { ...context, signal }), rounded);
      if (json.length > MOST_ANSWER_CHARACTERS) {
        throw new ToolError('The answer is too long. Ask for fewer entries.');
      }
      return { isError: false, json };
    } catch (error) {
      return { isError: true, json: JSON.stringify({ error: messageOf(error, onError) }) };
    }
  };
}

/** Writes a figure without the digits that only binary fractions have. What is no number is not known. */
function rounded(_: string, value: unknown): unknown {
  if (typeof value !== 'number') {
    return value;
  }
  return Number.isFinite(value) ? Number(value.toPrecision(MOST_DIGITS)) : undefined;
}

/** Binsight's own messages are plain; others can quote the service. */
function messageOf(error: unknown, onError: (error: unknown) => void): unknown {
  if (error instanceof ToolError) {
    return error.message;
  }
  onError(error);
  return untrustedMessage(error instanceof Error ? error.message : 'unknown');
}
