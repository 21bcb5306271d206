import { Session, type Profiler } from 'node:inspector/promises';

/** Time that the main thread of the extension host is busy, in milliseconds, by what keeps it busy. */
export interface Shares {
  /** Functions of Binsight, and what they call: JSON, formats, Node and the API of VS Code. */
  binsightMs: number;
  /** Garbage collection, of all code in the extension host. */
  garbageMs: number;
  /** Everything else: messages between the processes of VS Code, streams of Node, the service that answers. */
  otherMs: number;
}

/** Shorter intervals slow down the work that is measured. */
const SAMPLING_INTERVAL_US = 1_000;
/** Binsight's own bundles. Tests are in dist/test. */
const IS_BINSIGHT = /\/dist\/(?:extension|chunks\/[^/]+)\.js$/;

/** Runs some work under V8's sampling profiler. */
export async function profiled(work: () => Promise<void>): Promise<Shares> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await session.post('Profiler.start');
    // The first start of the profiler lists all functions, which is not part of the work.
    await new Promise(setImmediate);
    await work();
    const { profile } = await session.post('Profiler.stop');
    return sharesOf(profile);
  } finally {
    session.disconnect();
  }
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const known = new Map<number, keyof Shares | undefined>();
  const shareOf = (id: number): keyof Shares | undefined => {
    if (!known.has(id)) {
      const frame = byId.get(id)?.callFrame;
      const parent = parents.get(id);
      known.set(id, shareOfFrame(frame) ?? (parent === undefined ? 'otherMs' : shareOf(parent)));
      if (frame?.functionName === '(idle)' || isProfiler(frame)) {
        known.set(id, undefined);
      }
    }
    return known.get(id);
  };
  const shares: Shares = { binsightMs: 0, garbageMs: 0, otherMs: 0 };
  samples.forEach((id, index) => {
    const share = shareOf(id);
    if (share !== undefined) {
      shares[share] += (timeDeltas[index] ?? 0) / 1_000;
    }
  });
  return shares;
}

function shareOfFrame(frame: Profiler.ProfileNode['callFrame'] | undefined): keyof Shares | undefined {
  return frame?.functionName === '(garbage collector)' ? 'garbageMs' : IS_BINSIGHT.test(frame?.url ?? '') ? 'binsightMs' : undefined;
}

function isProfiler(frame: Profiler.ProfileNode['callFrame'] | undefined): boolean {
  return frame?.url === 'node:inspector' || frame?.url === 'node:inspector/promises';
}
