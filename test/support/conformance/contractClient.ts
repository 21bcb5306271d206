import assert from 'node:assert/strict';
import * as z from 'zod';
import { type Answer, send } from '../sandbox/client';
import { checkContract } from './checkContract';
import { checkSpec } from './checkSpec';
import type { EngineUnderTest, Protocol } from './engine';

export type Json = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number>>;

/** A wallet that has nothing. */
export const EMPTY_WALLET = 'BUrwCyYfPqeBbqQHH5cJnz8bDCeBgqEsVzPBDsW8EPEX';

const Listed = z.array(z.looseObject({}));
const Message = z.object({ message: z.string() });

/** Candles and counters: the published contract does not have them, the specification does. */
const OWN_ENDPOINT = /^\/pools\/[^/]+\/(candles|counters)(\?|$)/;

/** Asks an engine, and checks every answer against the published contract and the specification. */
export class ContractClient {
  readonly #engine: () => EngineUnderTest;

  constructor(engine: () => EngineUnderTest) {
    this.#engine = engine;
  }

  get engine(): EngineUnderTest {
    return this.#engine();
  }

  get owner(): string {
    return this.engine.client.sandbox.owner;
  }

  /** A success. */
  async got(path: string, query: Query = {}): Promise<Json> {
    return this.#checked('GET', path, 200, await this.engine.client.get(path, query));
  }

  /** A success. */
  async posted(path: string, body: Json): Promise<Json> {
    return this.#checked('POST', path, 200, await this.engine.client.post(path, body));
  }

  /** A failure of that status, whose message fits. */
  async failed(status: number, method: 'GET' | 'POST', path: string, given: Json = {}, message = /./): Promise<void> {
    const { client } = this.engine;
    const answer = method === 'GET' ? await client.get(path, given as Query) : await client.post(path, given);
    this.#checked(method, path, status, answer);
    assert.match(Message.parse(answer.body).message, message);
  }

  /** What is answered to exactly these headers. */
  async refusedWith(headers: Readonly<Record<string, string>>, method: string, path: string): Promise<void> {
    this.#checked(method, path, 401, await send(method, `${this.engine.client.sandbox.url}${path}`, headers));
  }

  async closed(query: Query): Promise<{ readonly data: readonly Json[]; readonly pagination: Json }> {
    const { data, pagination } = record((await this.got('/lp-positions/historical', { owner: this.owner, ...query }))['data']);
    return { data: list(data), pagination: record(pagination) };
  }

  async discovered(query: Query): Promise<readonly Json[]> {
    return list((await this.got('/pools/discover', query))['data']);
  }

  async lpers(pool: string, query: Query = {}): Promise<readonly Json[]> {
    return list((await this.got(`/pools/${pool}/top-lpers`, query))['data']);
  }

  async positionsIn(pool: string, query: Query = {}): Promise<Json> {
    return record((await this.got(`/pools/${pool}/positions`, query))['data']);
  }

  /** An open position of the owner. */
  async openIn(protocol: Protocol): Promise<{ readonly id: string; readonly tokenId: string }> {
    const open = list((await this.got('/lp-positions/opening', { owner: this.owner }))['data']);
    const position = open.find((one) => one['protocol'] === protocol);
    assert.ok(position, `The owner has nothing open in ${protocol}`);
    return { id: String(position['id']), tokenId: String(position['tokenId']) };
  }

  #checked(method: string, path: string, status: number, answer: Answer): Json {
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`);
    const { nulls } = this.engine;
    if (!OWN_ENDPOINT.test(path)) {
      checkContract(method, path, answer.status, answer.body, nulls);
    }
    checkSpec(method, path, answer.status, answer.body, nulls);
    return record(answer.body);
  }
}

export function record(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `${JSON.stringify(value)} is no record`);
  return value as Json;
}

export function list(value: unknown): readonly Json[] {
  return Listed.parse(value);
}

/** All pages of a list with so many items. */
export async function pagesOf<Page>(count: number, pageSize: number, ask: (page: number) => Promise<Page>): Promise<readonly Page[]> {
  return Promise.all(Array.from({ length: Math.ceil(count / pageSize) }, (_, index) => ask(index + 1)));
}
