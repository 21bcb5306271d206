import type {
  AcknowledgeRequest,
  Answer,
  ChosenFile,
  ConfirmRequest,
  FileRequest,
  InputRequest,
  Notice,
  PickRequest,
  ProgressRequest,
  Prompts,
  SelectRequest,
} from './prompts';

/** Forwards everything to the prompts in use. Only tests inside VS Code replace them. */
export class PromptSlot implements Prompts {
  #inUse: Prompts;

  constructor(inUse: Prompts) {
    this.#inUse = inUse;
  }

  /** Replaces the prompts in use and returns the previous ones. */
  use(prompts: Prompts): Prompts {
    const before = this.#inUse;
    this.#inUse = prompts;
    return before;
  }

  pick<Value>(request: PickRequest<Value>): Promise<Answer<Value>> {
    return this.#inUse.pick(request);
  }

  select<Value>(request: SelectRequest<Value>): Promise<Answer<readonly Value[]>> {
    return this.#inUse.select(request);
  }

  input<Value>(request: InputRequest<Value>): Promise<Answer<Value>> {
    return this.#inUse.input(request);
  }

  acknowledge(request: AcknowledgeRequest): Promise<Answer<true>> {
    return this.#inUse.acknowledge(request);
  }

  confirm<Action extends string>(request: ConfirmRequest<Action>): Promise<Action | undefined> {
    return this.#inUse.confirm(request);
  }

  chooseFile(request: FileRequest): Promise<ChosenFile | undefined> {
    return this.#inUse.chooseFile(request);
  }

  notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined> {
    return this.#inUse.notify(notice);
  }

  progress<Result>(
    request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.#inUse.progress(request, task);
  }
}
