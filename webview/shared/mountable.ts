import { nothing } from 'lit-html';
import { AsyncDirective, directive } from 'lit-html/async-directive.js';
import { PartType, type ElementPart, type PartInfo } from 'lit-html/directive.js';

/** Something that renders its own element at its own time: a scrolling table, a chart. */
export interface Mountable {
  /** Called with the element at each view, even if the element is the same. */
  attach(room: Element): void;
  /** The element was removed from the page; it may come back. */
  detach(): void;
}

class HostedDirective extends AsyncDirective {
  #hosted: Mountable | undefined;
  #room: Element | undefined;

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) {
      throw new TypeError('hosted() must be used on an element: html`<div ${hosted(mountable)}></div>`');
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

/** Attaches a {@link Mountable} to an element. */
export const hosted = directive(HostedDirective);
