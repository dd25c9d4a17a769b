/** Which products of the segments match, which of them are on a page, and what they count. */
export { answerQuestion, type IndexAnswer, type IndexQuestion } from './answer.ts';
