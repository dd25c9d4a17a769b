export { consumeChores, enqueueChores, type MaintenanceMessage } from './run-chores.ts';
