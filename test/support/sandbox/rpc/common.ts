import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Connection } from '@solana/web3.js';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { answerRpc } from '../../../../src/sandbox/rpc/rpc';
import type { RpcNode } from '../../../../src/sandbox/rpc/method';
import type { ApplyEffects } from '../../../../src/sandbox/chain/types';
import { newChain, noEffects, NOON, testKey, type TestChain } from '../chain/common';

export const OWNER = testKey(1);
export const SOMEBODY = testKey(2).address;
/** Pays airdrops. */
export const WORLD = testKey(3).address;
/** A token with six decimals; the owner has 1,234,567 of it, raw. */
export const MINT = testKey(4).address;

/** A node whose clock and market the test moves. */
export interface TestNode extends TestChain {
  readonly node: RpcNode;
  /** Milliseconds since 1970. */
  now: number;
  /** What transactions do beyond the VM. */
  effects: ApplyEffects;
}

/** A small world: an owner with SOL, wrapped SOL and tokens, and the rest of the world with 20 million SOL. */
export function newNode(): TestNode {
  const opened = newChain(
    { address: OWNER.address, lamports: 10n * LAMPORTS_PER_SOL },
    { address: WORLD, lamports: 20_000_000n * LAMPORTS_PER_SOL + 1n },
  );
  const { chain, unit } = opened;
  chain.createMint(MINT, 6, 1_000_000_000n, WORLD);
  chain.credit(OWNER.address, MINT, 1_234_567n);
  chain.setLamports(OWNER.address, chain.lamports(OWNER.address) - LAMPORTS_PER_SOL);
  chain.credit(OWNER.address, WRAPPED_SOL_MINT, LAMPORTS_PER_SOL);
  unit.commit();
  const world: TestNode = {
    ...opened,
    now: NOON,
    effects: noEffects,
    node: {
      chain,
      account: (of) => chain.account(of),
      faucet: WORLD,
      advance: () => {
        chain.advance(world.now);
        unit.commit();
      },
      effectsOf: () => (transaction, index) => world.effects(transaction, index),
      commit: () => unit.commit(),
    },
  };
  return world;
}

/** A server that is nothing but the JSON-RPC. */
export interface Served {
  readonly url: string;
  readonly connection: Connection;
  /** Posts a body, and gives that of the answer. */
  post(body: string): Promise<string>;
  /** Calls a method, and gives the whole answer. */
  call(method: string, ...parameters: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Serves a node on a free port. */
export async function serve(node: RpcNode): Promise<Served> {
  const server = createServer((request, response) => {
    text(request)
      .then((body) => answerRpc(node, body))
      .then(
        (body) => response.setHeader('content-type', 'application/json').end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = async (body: string): Promise<string> => (await fetch(url, { method: 'POST', body })).text();
  return {
    url,
    connection: new Connection(url, 'confirmed'),
    post,
    call: async (method, ...parameters) =>
      JSON.parse(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters }))) as unknown,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
