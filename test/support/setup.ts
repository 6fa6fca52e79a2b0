/** Loaded by mocha before all tests. */
import { stopPostgres } from './postgres.ts'

export function mochaGlobalTeardown(): void {
  stopPostgres()
}
