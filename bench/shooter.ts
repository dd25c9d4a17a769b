/** The thread of {@link load}. It uses raw sockets, to take little CPU from the server. */
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

/** Sends the next request and waits for its response. */
const shoot = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    let text = '';
    const sent = performance.now();
    const take = (data: Buffer) => {
      text += data.toString('latin1');
      if (!whole(text)) return;
      socket.off('data', take);
      latencies.push(performance.now() - sent);
      const status = text.slice(9, 12);
      if (status !== '200') others[status] = (others[status] ?? 0) + 1;
      resolve();
    };
    socket.on('data', take);
    socket.write(plan.requests[next++ % plan.requests.length] ?? '', 'latin1');
  });

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(plan.port, plan.host, () => resolve(socket.setNoDelay(true)));
    socket.once('error', reject);
    // A connection that the server closes fails the whole round.
    socket.once('close', () => {
      if (performance.now() < over) throw new Error('The server closed a connection.');
    });
  });

let begun = performance.now();
let over = Number.POSITIVE_INFINITY;
const sockets = await Promise.all(Array.from({ length: plan.connections }, open));
begun = performance.now();
over = begun + plan.seconds * 1000;

/** Waits for this connection's next turn when the round has a rate. */
async function turn(connection: number, shot: number): Promise<void> {
  if (!plan.rate) return;
  const due = begun + ((shot * plan.connections + connection) * 1000) / plan.rate;
  const wait = due - performance.now();
  if (wait > 0) await sleep(wait);
}

await Promise.all(
  sockets.map(async (socket, connection) => {
    for (let shot = 0; performance.now() < over; shot++) {
      await turn(connection, shot);
      await shoot(socket);
    }
    socket.destroy();
  }),
);

const seconds = (performance.now() - begun) / 1000;
latencies.sort((a, b) => a - b);
const at = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const round: Round = { answered: latencies.length, seconds, p50: at(0.5), p99: at(0.99), others };
parentPort?.postMessage(round);
