import { testBadInput } from './bad-input.ts'

describe('bad input on every route (SQLite)', () => testBadInput(async () => undefined, 'sqlite'))
