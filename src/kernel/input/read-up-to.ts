/** The start of a body as text, and whether that is all of it. */
interface BodyStart {
  readonly text: string;
  readonly whole: boolean;
}

/** Reads at most `most` bytes of a body, as far as it arrives before the signal aborts. Never throws. */
export async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
  most: number,
): Promise<BodyStart> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  const timeUp = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  let [text, bytes, whole] = ['', 0, !reader];
  try {
    while (reader && bytes < most) {
      const chunk = await Promise.race([reader.read(), timeUp]);
      whole = chunk?.done ?? false;
      if (!chunk?.value) break;
      text += decoder.decode(chunk.value.subarray(0, most - bytes), { stream: true });
      bytes += chunk.value.byteLength;
    }
    await reader?.cancel();
  } catch {
    // The connection broke; returns what was received.
  }
  return { text, whole };
}
