import { MOST_ADDRESSES } from './rules';
import type { SettingSection } from './settingDeclaration';

/**
 * All settings of the extension. `npm run generate` writes from them `contributes.configuration` and `restrictedConfigurations` of package.json,
 * the English texts of package.nls.json, the typed ids with their bounds (generated/settings.ts), docs/settings.md and a table of the README.
 */
export const SECTIONS: readonly SettingSection[] = [
  {
    id: 'connection',
    title: 'Connection',
    settings: {
      'binsight.service.baseUrl': {
        kind: 'text',
        default: '',
        inReadme: true,
        description:
          'Address of the service that provides positions and pools, with its version path, such as `https://api.lpagent.io/open-api/v1`; empty: the **sandbox**, which runs on this machine with pretend money. `solana` selects a **Solana RPC**, whose address is kept in the secret storage of this machine (`solana:GENESIS_HASH` for another chain than mainnet). The command *Binsight: Connect to Service…* writes this setting and asks for the API key or the RPC.',
      },
      'binsight.service.requestsPerMinute': {
        kind: 'choice',
        default: 'automatic',
        inReadme: true,
        description:
          "How many requests a minute Binsight may send to the service: the limit of your plan. All windows of this machine share it, with their panels and background work, and operations come first. **Automatic** learns the limit from the service's answers. A Solana RPC has its own setting, `#binsight.solanaRpc.requestsPerSecond#`.",
        choices: [
          { value: 'automatic', label: 'Automatic' },
          { value: '5', label: '5 (Basic)' },
          { value: '10', label: '10 (Premium)' },
          { value: '20', label: '20 (Enterprise)' },
        ],
      },
      'binsight.refreshIntervalSeconds': {
        kind: 'integer',
        default: 60,
        minimum: 15,
        maximum: 3600,
        unit: 'seconds',
        unrestricted: true,
        description:
          'How often Binsight reads open positions while a view or panel shows them, in seconds ({bounds}). It reads them more often near an edge of a range and after an operation, and less often without the focus or only for notifications. Each read is one request, and services allow only a few requests per minute.',
      },
      'binsight.solanaRpc.requestsPerSecond': {
        kind: 'integer',
        default: 8,
        minimum: 1,
        maximum: 1000,
        unit: 'requests per second',
        description:
          'With *Solana RPC* as the service: maximum number of requests per second from the local service to the RPC ({bounds}). Public RPCs allow few. It takes effect when the local service starts again: when no window has used it for a while.',
      },
      'binsight.solanaRpc.publicData': {
        kind: 'switch',
        default: true,
        strictWhenFaulty: true,
        description:
          "With *Solana RPC* as the service: use Meteora's public data, which needs no key. Three public APIs list pools, their volumes, candles and warnings, and positions with their results until the history is read from the chain. They learn the addresses of your wallets, which pools you look at and what you search for. Without them, results appear once the history is read, and only pools that the local service finds on the chain are listed. It takes effect when the local service starts again: when no window has used it for a while.",
      },
      'binsight.assistants.enabled': {
        kind: 'switch',
        default: false,
        inReadme: true,
        description:
          "Let assistants read your positions, pools and results, and propose operations: language models in VS Code, and programs that connect through MCP (*Binsight: Copy MCP Configuration*). A proposal only opens Binsight's own dialog; nothing is signed without your confirmation. What an assistant reads, including your address, goes to its provider. Off in Restricted Mode.",
      },
    },
  },
  {
    id: 'display',
    title: 'Lists and Status Bar',
    settings: {
      'binsight.currency': {
        kind: 'choice',
        default: 'usd',
        unrestricted: true,
        description: 'Currency in which the status bar and panels show amounts. A panel can show the other one.',
        choices: [
          { value: 'usd', label: 'US dollars' },
          { value: 'sol', label: 'SOL' },
        ],
      },
      'binsight.statusBar.template': {
        kind: 'line',
        default: '{pnl} ({percent}) · {outOfRange}',
        maximum: 200,
        unrestricted: true,
        description:
          'Text of the status bar item while positions are listed. Placeholders: `{pnl}` (unrealized PnL), `{sinceFirstDeposit}` (PnL over all rebalances), `{percent}` (PnL in percent of the deposits), `{value}`, `{fees}` (unclaimed fees), `{outOfRange}`, `{positions}`, `{service}`. A figure that is unknown is left out together with the parentheses around it.',
      },
    },
  },
  {
    id: 'signing',
    title: 'Signing and Review',
    settings: {
      'binsight.slippageBps': {
        kind: 'integer',
        default: 100,
        minimum: 0,
        maximum: 10000,
        unit: 'basis points',
        unrestricted: true,
        inReadme: true,
        description:
          'Suggested slippage tolerance of *Zap In…* and *Zap Out…*: how much worse than its quote a trade may turn out, in basis points ({bounds}; 100 = 1%). A trade that turns out worse fails.',
      },
      'binsight.wallet.unlockMinutes': {
        kind: 'integer',
        default: 15,
        minimum: 1,
        maximum: 1440,
        unit: 'minutes',
        strictWhenFaulty: true,
        inReadme: true,
        description:
          'How long a wallet that is protected by a passphrase stays unlocked after you enter the passphrase, in minutes ({bounds}). *Binsight: Lock Wallets* locks all wallets immediately.',
      },
      'binsight.review.simulate': {
        kind: 'switch',
        default: true,
        strictWhenFaulty: true,
        description:
          'Simulate transactions with a Solana RPC before they are signed, and compare the result with what you requested. The RPC is that of the profile for the review, of the sandbox, or of *Solana RPC* as the service.',
      },
      'binsight.review.costCapSol': {
        kind: 'sol',
        default: 0.01,
        maximum: 0.05,
        strictWhenFaulty: true,
        description:
          'Maximum tip per operation, and maximum network and priority fees, in SOL, that need no confirmation ({bounds}). Binsight asks about more, and blocks tips or fees above 0.05 SOL.',
      },
      'binsight.review.trustedPrograms': {
        kind: 'addresses',
        maximum: MOST_ADDRESSES,
        strictWhenFaulty: true,
        description:
          'Addresses of additional programs that Binsight asks about each time, instead of blocking the transactions that call them. Calls that are never part of a liquidity operation are always blocked.',
      },
      'binsight.review.feeRecipients': {
        kind: 'addresses',
        maximum: MOST_ADDRESSES,
        strictWhenFaulty: true,
        description:
          'Addresses that may receive a fee in SOL or in tokens of the pool. Binsight asks about them each time, for SOL up to `#binsight.review.feeRecipientCapSol#`. Only tokens need no question, and only if a simulation shows that they are at most a tenth of the fees you collect.',
      },
      'binsight.review.feeRecipientCapSol': {
        kind: 'sol',
        default: 0.05,
        maximum: 1,
        strictWhenFaulty: true,
        description:
          'Maximum SOL that all approved fee recipients together may receive from one operation ({bounds}). They are the addresses of `#binsight.review.feeRecipients#`.',
      },
    },
  },
  {
    id: 'notifications',
    title: 'Notifications',
    settings: {
      'binsight.notifications.leftRange': {
        kind: 'switch',
        default: true,
        unrestricted: true,
        description: 'Notify when a position leaves its range. A second read has to confirm it.',
      },
      'binsight.notifications.enteredRange': {
        kind: 'switch',
        default: false,
        unrestricted: true,
        description: 'Notify when a position is back in its range. A second read has to confirm it.',
      },
      'binsight.notifications.pnlAbovePercent': {
        kind: 'number',
        default: 0,
        minimum: 0,
        maximum: 100000,
        unit: 'percent',
        unrestricted: true,
        description: 'Notify when the profit and loss (PnL) of a position rises to this percentage of its deposits ({bounds}). 0: never.',
      },
      'binsight.notifications.pnlBelowPercent': {
        kind: 'number',
        default: 0,
        minimum: -100,
        maximum: 0,
        unit: 'percent',
        unrestricted: true,
        description:
          'Notify when the profit and loss (PnL) of a position falls to this percentage of its deposits, for example -20 ({bounds}). 0: never.',
      },
      'binsight.notifications.feesAboveUsd': {
        kind: 'number',
        default: 0,
        minimum: 0,
        maximum: 1000000,
        unit: 'US dollars',
        unrestricted: true,
        description: 'Notify when the unclaimed fees of a position reach this value, in US dollars ({bounds}). 0: never.',
      },
      'binsight.notifications.operations': {
        kind: 'switch',
        default: true,
        unrestricted: true,
        description:
          'Notify outside the editor when an operation has ended, whichever window began it, and when auto-rebalance asks, needs you or begins to sign by its rules. The window that runs it always shows it.',
      },
      'binsight.notifications.system': {
        kind: 'switch',
        default: true,
        description:
          'Also show notices as notifications of the operating system while the window is not in front. For that, Binsight runs a program of the system: `notify-send` on Linux, `osascript` on macOS, `powershell.exe` on Windows. It passes only the name of the pair and what happened. Not on remote machines or in a browser.',
      },
      'binsight.notifications.quietHours': {
        kind: 'text',
        default: '',
        pattern: '^$|^([01]?[0-9]|2[0-3]):[0-5][0-9]\\s*[-–]\\s*([01]?[0-9]|2[0-3]):[0-5][0-9]$',
        patternErrorMessage: 'Enter two different times such as 22:00-07:00, or leave it empty.',
        inReadme: true,
        description:
          'Quiet hours in local time, for example `22:00-07:00`. There are no notifications of the operating system then, and messages to the webhook wait: they are sent as one when the quiet hours end. Leave empty for none.',
      },
    },
  },
];
