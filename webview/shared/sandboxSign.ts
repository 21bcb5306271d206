import { html, nothing } from 'lit-html';
import type { Ambient } from '../../src/protocol/ambient';
import { icon } from './icons';
import type { Template } from './template';

/** Says that all money is pretend, where it is. */
export function sandboxSign(ambient: Pick<Ambient, 'isSandbox'> | undefined): Template {
  return ambient?.isSandbox === true ? html`<span class="badge sandbox-sign" title="This is the sandbox: nothing here is worth anything.">${icon('beaker')} Pretend money</span>` : nothing;
}
