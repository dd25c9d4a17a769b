import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received webhook delivery. */
export interface Arrival {
  readonly path: string;
  readonly eventId: string;
  /** Time (ms) since the start of the write that raised the event, shortly before its commit. */
  readonly after: number;
}

/** Local webhook receivers, one for each path. Those below /hang never respond. */
export class Receivers {
  readonly arrivals: Arrival[] = [];
  private readonly server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { id, timestamp } = JSON.parse(body);
      this.arrivals.push({ path, eventId: id, after: Date.now() - Date.parse(timestamp) });
      if (!path.startsWith('/hang')) response.writeHead(204).end();
    });
  });

  async listen(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  /** Returns the URL of the receiver with this path. */
  url(path: string): string {
    // The address of a TCP server is always an AddressInfo.
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
