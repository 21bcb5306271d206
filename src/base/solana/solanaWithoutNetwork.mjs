// What web3.js and Anchor get in place of their own ways into the network. Every Connection of Binsight sends through a function that bounds and
// redacts requests (rpcEndpoint.ts), and nothing subscribes. What is replaced is `rpc-websockets`, whose license
// (LGPL-3.0) does not fit a minified bundle, and node-fetch 2, which they use only where there is no global `fetch`.

const refuse = () => {
  throw new Error('Binsight asks a Solana RPC through the function of its Connection only.');
};

/** For `node-fetch` and `cross-fetch`. */
export default refuse;

/** For the client of `rpc-websockets`: web3.js makes one with each Connection, and connects it at the first subscription. */
export class CommonClient {
  on() {
    return this;
  }

  connect() {
    refuse();
  }

  call() {
    refuse();
  }

  notify() {
    refuse();
  }

  close() {}
}

/** For the function of `rpc-websockets` that opens a socket. */
export const WebSocket = refuse;
