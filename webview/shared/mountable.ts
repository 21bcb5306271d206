import { nothing } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import { PartType, type ElementPart, type PartInfo } from 'lit-html/directive.js';

/** What paints its own room of the page, in its own time: a table that scrolls, a chart. */
export interface Mountable {
  /** The room is there. It comes again with each view; then nothing may have changed but what is to be shown. */
  attach(room: Element): void;
  /** The room is gone from the page, maybe to come back. */
  detach(): void;
}

class HostedDirective extends AsyncDirective {
  #hosted: Mountable | undefined;
  #room: Element | undefined;

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) {
      throw new TypeError('hosted() stands in an element: html`<div ${hosted(it)}></div>`');
    }
  }

  render(...[]: [Mountable]): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [mountable]: [Mountable]): typeof nothing {
    if (this.#hosted !== mountable) {
      this.#hosted?.detach();
    }
    this.#hosted = mountable;
    this.#room = part.element;
    mountable.attach(part.element);
    return nothing;
  }

  protected override disconnected(): void {
    this.#hosted?.detach();
  }

  protected override reconnected(): void {
    if (this.#room !== undefined) {
      this.#hosted?.attach(this.#room);
    }
  }
}

/** Gives an element to what paints it. */
export const hosted = directive(HostedDirective);
