import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { testBadInput } from './bad-input.ts'

describe('bad input on every route (PostgreSQL)', () => {
  before(function () {
    if (!postgresBinaries) this.skip()
  })
  testBadInput(createPostgresDatabase, 'postgres')
})
