import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer, writeJson } from './localServer';

/** A price API in Jupiter's shape on this machine. */
export class PriceServer extends LocalServer {
  private constructor(private readonly usd: Readonly<Record<string, number>>) {
    super();
  }

  /** @param usd US dollars for one whole token, by mint */
  static start(usd: Readonly<Record<string, number>>): Promise<PriceServer> {
    return new PriceServer(usd).listening();
  }

  protected handle({ url }: IncomingMessage, response: ServerResponse): void {
    const mints = new URL(url ?? '', this.url).searchParams.get('ids')?.split(',') ?? [];
    const prices = mints.flatMap((mint) => {
      const usdPrice = this.usd[mint];
      return usdPrice === undefined ? [] : [[mint, { usdPrice, decimals: 9, blockId: 1 }]];
    });
    writeJson(response, 200, Object.fromEntries(prices));
  }
}
