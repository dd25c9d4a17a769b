import { onTestFinished, vi } from 'vitest';

/** Stops the clock until the test ends, so that no machine is too slow for it. `moveClock` moves it still. */
export function stopClock(): void {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  onTestFinished(() => clock.mockRestore());
}
