export { forgetPanelGuesses, forgetPanelSessions } from './forget.ts';
