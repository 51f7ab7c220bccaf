import type { Readable, Writable } from 'node:stream';
import type { CancelSource } from '../../base/values/run-until.js';
import type { Limits } from '../limits/limits.js';
import { loadPeer } from '../load/load-peer.js';
import { UploadError } from './upload-error.js';
import { type Arrival, tooLarge, UploadedFile } from './uploaded-file.js';

/** The body of a request, as a stream. */
export interface OpenBody {
  readonly stream: Readable;
  /** Ends reading; what the client still sends is for the host. */
  close(): void;
}

interface FormSource {
  readonly body: OpenBody;
  readonly contentType: string;
  readonly limits: Pick<Limits, 'body' | 'files' | 'fileBytes'>;
  readonly client: CancelSource;
}

/** The maximum number of parts. Each takes memory beside its text. */
const maxParts = 1000;

/**
 * Reads a form (RFC 7578) up to its first file, or to its end without one. The rest is read from the connection while
 * its files are read.
 *
 * @throws {UploadError} If it is malformed, beyond a limit, or interrupted.
 */
export async function receiveForm(source: FormSource): Promise<Form> {
  const { Busboy } = await loadPeer(['@fastify/busboy'], () => import('@fastify/busboy'));
  const { files, fileBytes, body } = source.limits;
  const limits = { files, fileSize: fileBytes, fieldSize: body, parts: maxParts };
  let parser: InstanceType<typeof Busboy>;
  try {
    parser = new Busboy({
      headers: { 'content-type': source.contentType },
      limits,
      // A part is what its sender says, whatever its media type.
      isPartAFile: (_, __, filename) => filename !== undefined,
    });
  } catch (error) {
    source.body.close();
    throw invalid((error as Error).message);
  }
  const form = new Form(source, parser as unknown as Parser);
  await form.begun;
  return form;
}

interface Parser extends Writable {
  on(
    event: 'file',
    listener: (name: unknown, source: Readable, filename: string, encoding: string, type: string) => void,
  ): this;
  on(event: 'field', listener: (name: unknown, text: string, isNameCut: boolean, isCut: boolean) => void): this;
  on(event: string, listener: (...args: never[]) => void): this;
}

export class Form {
  /** The names and the texts of the parts before the files, one after the other. */
  readonly texts: string[] = [];
  /** Why it was given up; undefined if it was not. */
  fault: UploadError | undefined;
  isFinished = false;
  readonly #arrivals = new Map<string, Arrival>();
  readonly #files = new Map<string, UploadedFile>();
  /** Settled with its first file, or its end. */
  readonly begun: Promise<void>;
  #begin!: () => void;
  #fail!: (error: unknown) => void;
  readonly #source: FormSource;
  readonly #parser: Parser;
  #waiting: {
    readonly check: () => boolean;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  #isSealed = false;
  #wanted = 0;
  #length = 0;
  #textLength = 0;

  constructor(source: FormSource, parser: Parser) {
    this.#source = source;
    this.#parser = parser;
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#fail = reject;
    });
    const { body, client, limits } = source;
    const { stream } = body;
    parser
      .on('file', (...given) => this.#addFile(...given))
      .on('field', (name, text, _, isCut) => this.#addText(name, text, isCut))
      .on('partsLimit', () => this.#giveUp(tooMuch(`more than ${maxParts} parts`)))
      .on('filesLimit', () => this.#giveUp(tooMuch(`more than ${limits.files} files`)))
      .on('error', (error: Error) => this.#giveUp(invalid(error.message)))
      .on('finish', () => this.#finish());
    stream.on('error', this.#interrupt).on('data', this.#count);
    client.addEventListener('abort', this.#interrupt);
    if (client.aborted) this.#interrupt();
    else stream.pipe(parser);
  }

  get names(): Iterable<string> {
    return this.#arrivals.keys();
  }

  has(name: string): boolean {
    return this.#arrivals.has(name);
  }

  /** The file of a name, which may still arrive. */
  expect(name: string): UploadedFile {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const [first] = this.#arrivals.keys();
    const file = new UploadedFile(name, this, name === first);
    const arrival = this.#arrivals.get(name);
    if (arrival !== undefined) file.settle(arrival);
    this.#files.set(name, file);
    return file;
  }

  /**
   * Ends the list of the files that are expected.
   *
   * @throws {UploadError} If another one has arrived, or one of them is missing.
   */
  seal(): void {
    this.#isSealed = true;
    for (const name of this.#arrivals.keys()) if (!this.#files.has(name)) this.#giveUp(unknownFile(name));
    this.#checkMissing();
    if (this.fault !== undefined) throw this.fault;
  }

  /** Ends all that is open of it. What was read whole stays as it is. */
  close(): void {
    if (this.fault === undefined) this.#giveUp(new UploadError(400, 'UPLOAD_INTERRUPTED', 'The call has ended.'));
  }

  async arrivalOf(file: UploadedFile): Promise<Arrival> {
    return file.arrival ?? this.#want(file.arrived);
  }

  continued({ name }: UploadedFile): Promise<void> {
    const after = [...this.#arrivals.keys()].indexOf(name) + 1;
    const check = (): boolean => this.isFinished || this.#arrivals.size > after;
    return this.#want(
      new Promise((resolve, reject) => {
        this.#waiting.push({ check, resolve, reject });
        this.#notify();
      }),
    );
  }

  async #want<Result>(wanted: Promise<Result>): Promise<Result> {
    this.#wanted += 1;
    this.#skipIdle();
    return wanted.finally(() => {
      this.#wanted -= 1;
    });
  }

  #addFile(name: unknown, source: Readable, filename: string, _: string, mediaType: string): void {
    // Without a listener, an error of a file that no one reads would end the process.
    source.on('error', () => undefined);
    if (typeof name !== 'string' || this.#arrivals.has(name)) {
      this.#giveUp(invalid(typeof name === 'string' ? `“${name}” is given twice` : 'a part has no name'));
      return;
    }
    const { fileBytes } = this.#source.limits;
    source.once('limit', () => this.#giveUp(tooLarge(name, fileBytes)));
    const arrival = { filename, mediaType, source };
    this.#arrivals.set(name, arrival);
    if (this.#isSealed && !this.#files.has(name)) this.#giveUp(unknownFile(name));
    this.#files.get(name)?.settle(arrival);
    this.#begin();
    this.#skipIdle();
    this.#notify();
  }

  #addText(name: unknown, text: string, isCut: boolean): void {
    const { body } = this.#source.limits;
    this.#textLength += Buffer.byteLength(text);
    if (isCut || this.#textLength > body) {
      this.#giveUp(tooMuch(`texts of more than ${body} bytes`));
    } else if (typeof name !== 'string') this.#giveUp(invalid('a part has no name'));
    else if (this.#arrivals.size > 0) this.#giveUp(invalid(`the text “${name}” must precede the files`));
    else this.texts.push(name, text);
  }

  #finish(): void {
    this.isFinished = true;
    this.#begin();
    if (this.#isSealed) this.#checkMissing();
    this.#notify();
  }

  #checkMissing(): void {
    if (!this.isFinished) return;
    for (const name of this.#files.keys())
      if (!this.#arrivals.has(name)) this.#giveUp(invalid(`the file “${name}” is missing`));
  }

  /** A wanted file arrives once the files before it are read. Files without a reader after a turn are skipped. */
  #skipIdle(): void {
    if (this.#wanted === 0) return;
    setImmediate(() => {
      if (this.#wanted === 0) return;
      for (const file of this.#files.values()) if (file.isIdle) file.skip();
    });
  }

  #notify(): void {
    const { fault } = this;
    this.#waiting = this.#waiting.filter(({ check, resolve, reject }) => {
      if (check()) resolve();
      else if (fault === undefined) return true;
      else reject(fault);
      return false;
    });
  }

  readonly #count = ({ length }: Uint8Array): void => {
    const { body, files, fileBytes } = this.#source.limits;
    this.#length += length;
    if (this.#length > body + files * fileBytes) this.#giveUp(formTooLarge(this.#source.limits));
  };

  readonly #interrupt = (): void => {
    this.#giveUp(new UploadError(499, 'UPLOAD_INTERRUPTED', 'The client has disconnected.'));
  };

  #giveUp(fault: UploadError): void {
    if (this.fault !== undefined) return;
    this.fault = fault;
    const { body, client } = this.#source;
    client.removeEventListener('abort', this.#interrupt);
    body.stream.off('data', this.#count);
    body.stream.unpipe(this.#parser);
    for (const { source } of this.#arrivals.values()) source.destroy(fault);
    for (const file of this.#files.values()) file.fail(fault);
    this.#parser.destroy();
    body.close();
    this.#fail(fault);
    this.#notify();
  }
}

export function formTooLarge({ body, files, fileBytes }: FormSource['limits']): UploadError {
  return tooMuch(`more than ${body + files * fileBytes} bytes`);
}

function tooMuch(what: string): UploadError {
  return new UploadError(413, 'UPLOAD_TOO_LARGE', `The form has ${what}.`);
}

function unknownFile(name: string): UploadError {
  return invalid(`no argument takes the file “${name}”`);
}

function invalid(reason: string): UploadError {
  return new UploadError(400, 'UPLOAD_INVALID', `The form cannot be read: ${reason}.`);
}
