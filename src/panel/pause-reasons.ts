/** Why the service paused a webhook, in words, by `paused_reason`. */
export const PAUSE_REASONS: Readonly<Record<string, string>> = {
  gone: 'the receiver responded 410 Gone',
  failing: 'all deliveries failed for five days',
};
