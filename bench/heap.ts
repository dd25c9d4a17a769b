import { once } from 'node:events';
import type { Miniflare } from 'miniflare';

/** The size of a Worker's heap, in MiB. */
export interface Heap {
  readonly used: number;
  /** What V8 has taken from the system for it. */
  readonly committed: number;
}

const MIB = 1024 * 1024;

/** Asks a Worker for the size of its heap, over the inspector of Miniflare (Chrome DevTools Protocol, `Runtime`). */
export class HeapProbe {
  private asked = 0;
  private readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Connects to the Worker of this name. Miniflare must run with an inspector. */
  static async of(miniflare: Miniflare, name: string): Promise<HeapProbe> {
    const socket = new WebSocket(new URL(`/core:user:${name}`, await miniflare.getInspectorURL()).href);
    await once(socket, 'open');
    return new HeapProbe(socket);
  }

  /** Returns the size of the heap now. */
  async read(): Promise<Heap> {
    // The protocol says so.
    const { usedSize, totalSize } = (await this.ask('Runtime.getHeapUsage')) as {
      readonly usedSize: number;
      readonly totalSize: number;
    };
    return { used: usedSize / MIB, committed: totalSize / MIB };
  }

  /** Collects garbage, so that what is used then is in use. */
  async collect(): Promise<void> {
    await this.ask('HeapProfiler.collectGarbage');
  }

  private async ask(method: string): Promise<unknown> {
    this.asked += 1;
    const id = this.asked;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const take = ({ data }: MessageEvent) => {
      const message = JSON.parse(String(data));
      if (message.id !== id) return;
      this.socket.removeEventListener('message', take);
      resolve(message.result);
    };
    this.socket.addEventListener('message', take);
    this.socket.send(JSON.stringify({ id, method }));
    return promise;
  }

  close(): void {
    this.socket.close();
  }
}
