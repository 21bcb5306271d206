import { LONGEST_PAUSE_MS, type Pause } from '../../api/requestBudget';
import type { Clock, Subscription } from '../../portfolio/types';

/** What a wait is shown with. */
export interface RequestWaitDependencies {
  readonly show: (words: string) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** The pause that the service asked for. */
  readonly pause: () => Pause | undefined;
  /** Told once when it begins to wait. */
  readonly log: (words: string) => void;
  /** What is being done once it waits no more, until {@link RequestWait.showStep} says otherwise. Without it nothing is said then. */
  readonly step?: string;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A shorter wait is over before anybody has read of it. */
const SHORTEST_SHOWN_MS = 1_500;

/** Shows the steps of an operation and, while it waits for the service's request limit, for how long: with a countdown. */
export class RequestWait {
  private step: string;
  private untilMs: number | undefined;
  private isShown = false;
  private timer: Subscription | undefined;

  constructor(private readonly dependencies: RequestWaitDependencies) {
    this.step = dependencies.step ?? '';
  }

  /** What is being done, apart from waiting. */
  showStep(words: string): void {
    this.step = words;
    this.tell();
  }

  /** It waits until then, milliseconds since 1970; `undefined`: it does not. */
  until(untilMs: number | undefined): void {
    this.untilMs = untilMs;
    this.tick();
  }

  dispose(): void {
    this.untilMs = undefined;
    this.timer?.dispose();
  }

  private tick(): void {
    this.timer?.dispose();
    const { clock } = this.dependencies;
    if (this.untilMs !== undefined && (this.isShown || this.restMs >= SHORTEST_SHOWN_MS)) {
      if (!this.isShown) {
        this.isShown = true;
        this.dependencies.log(waitMessage(this.restMs, this.dependencies.pause()));
      }
      this.tell();
      this.timer = clock.after(SECOND_MS, () => this.tick());
    } else if (this.isShown && this.untilMs === undefined) {
      this.isShown = false;
      this.tell();
    }
  }

  private tell(): void {
    const { show, pause } = this.dependencies;
    const words = this.isShown && this.untilMs !== undefined ? `${waitMessage(this.restMs, pause())}${this.step === '' ? '' : ` Next: ${this.step}`}` : this.step;
    if (words !== '') {
      show(words);
    }
  }

  private get restMs(): number {
    return Math.max(0, (this.untilMs ?? 0) - this.dependencies.nowMs());
  }
}

/** "Waiting 42 s for the request limit of your plan." */
export function waitMessage(restMs: number, pause: Pause | undefined): string {
  const rest = span(restMs);
  return pause?.askedMs !== undefined && pause.askedMs > LONGEST_PAUSE_MS
    ? `The service asks to wait ${span(pause.askedMs)}: its request limit is used up. Binsight tries again in ${rest}.`
    : `Waiting ${rest} for the request limit of your plan.`;
}

function span(ms: number): string {
  if (ms < 2 * MINUTE_MS) {
    return `${Math.max(1, Math.ceil(ms / SECOND_MS))} s`;
  }
  return ms < 2 * HOUR_MS ? `${Math.ceil(ms / MINUTE_MS)} min` : `${Math.ceil(ms / HOUR_MS)} h`;
}
