import { nothing } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import { PartType, type ElementPart, type PartInfo } from 'lit-html/directive.js';

/** What paints its own room of the page, in its own time: a table that scrolls, a chart. */
export interface Hosted {
  /** The room is there. It comes again with each view; then nothing may have changed but what is to be shown. */
  attach(room: Element): void;
  /** The room is gone from the page, maybe to come back. */
  detach(): void;
}

class HostedDirective extends AsyncDirective {
  #hosted: Hosted | undefined;
  #room: Element | undefined;

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) {
      throw new TypeError('hosted() stands in an element: html`<div ${hosted(it)}></div>`');
    }
  }

  render(...[]: [Hosted]): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [hosted]: [Hosted]): typeof nothing {
    if (this.#hosted !== hosted) {
      this.#hosted?.detach();
    }
    this.#hosted = hosted;
    this.#room = part.element;
    hosted.attach(part.element);
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
