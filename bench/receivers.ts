import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook's request as it arrived. */
export interface Arrival {
  readonly path: string;
  readonly eventId: string;
  /** What passed (ms) since the write began that it tells of; the commit came a little later. */
  readonly after: number;
}

/** Receivers of webhooks on this machine, one for each path; those below /hang never answer. */
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

  /** The URL of the receiver with this path, to register. */
  url(path: string): string {
    // A server that listens on a port has an address of this kind.
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
