/**
 * Sends the modules to the runtimes of the tests uncompressed. Each runtime receives all of them through a socket on
 * this machine, so compressing them costs more than it saves. Miniflare has no option for that: what follows makes
 * its sockets offer no compression.
 */
import { createRequire } from 'node:module';

const require = createRequire(createRequire(import.meta.url).resolve('miniflare'));

// The sockets' package is a dependency of Miniflare, and comes without types.
const { PerMessageDeflate } = require('ws') as { PerMessageDeflate: { prototype: { offer(): object[] } } };

PerMessageDeflate.prototype.offer = () => [];
