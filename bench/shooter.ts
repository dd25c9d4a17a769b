/** The thread of {@link load}. It uses raw sockets, to take little CPU from the server. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Plan, Round } from './load.ts';

const plan: Plan = workerData;
const latencies: number[] = [];
const others: Record<string, number> = {};
let next = 0;

/** Returns whether the text is a whole response. A socket has one request at a time, so no data follows it. */
function whole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
  if (length) return text.length >= head + 4 + Number(length[1]);
  return /^HTTP\/1\.1 (204|304)/.test(text) || text.endsWith('\r\n0\r\n\r\n');
}

/**
 * A connection of the load. The server may close it between two requests (RFC 9112, 9.5: workerd does after five idle
 * seconds), so a request that gets no byte of a response is sent once more on a new connection, as clients do.
 */
class Connection {
  #socket: Socket | null = null;

  async open(): Promise<Socket> {
    const socket = connect(plan.port, plan.host).setNoDelay(true);
    await once(socket, 'connect');
    // Also after an error: the next request opens another connection.
    socket.on('error', () => {}).once('close', () => this.close());
    this.#socket = socket;
    return socket;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  /** Sends a request; returns the status of its response, or "closed" if there was none. */
  async send(request: string): Promise<string> {
    const reused = this.#socket;
    const status = await exchange(reused ?? (await this.open()), request);
    return status === CLOSED && reused ? exchange(await this.open(), request) : status;
  }
}

const CLOSED = 'closed';

/** Sends a request and waits for its response. */
const exchange = (socket: Socket, request: string): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const end = (status: string) => {
      socket.off('data', take).off('close', closed);
      resolve(status);
    };
    const take = (data: Buffer) => {
      text += data.toString('latin1');
      if (whole(text)) end(text.slice(9, 12));
    };
    const closed = () => end(CLOSED);
    socket.on('data', take).once('close', closed);
    socket.write(request, 'latin1');
  });

/** Sends the next request, which was due at `due`, and notes its response. */
async function shoot(connection: Connection, due: number): Promise<void> {
  const status = await connection.send(plan.requests[next++ % plan.requests.length] ?? '');
  latencies.push(performance.now() - due);
  if (status !== '200') others[status] = (others[status] ?? 0) + 1;
}

const connections = Array.from({ length: plan.connections }, () => new Connection());
await Promise.all(connections.map((connection) => connection.open()));
const begun = performance.now();
const over = begun + plan.seconds * 1000;

/**
 * Waits for a connection's next turn when the round has a rate, and returns when it was due: a request that has to wait
 * for the one before it is as late as it is to its sender.
 */
async function turn(place: number, shot: number): Promise<number> {
  if (!plan.rate) return performance.now();
  const due = begun + ((shot * plan.connections + place) * 1000) / plan.rate;
  const wait = due - performance.now();
  if (wait > 0) await sleep(wait);
  return due;
}

await Promise.all(
  connections.map(async (connection, place) => {
    for (let shot = 0; performance.now() < over; shot++) await shoot(connection, await turn(place, shot));
    connection.close();
  }),
);

const seconds = (performance.now() - begun) / 1000;
latencies.sort((a, b) => a - b);
const at = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const round: Round = { answered: latencies.length, seconds, p50: at(0.5), p99: at(0.99), others };
parentPort?.postMessage(round);
