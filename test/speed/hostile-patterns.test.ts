import { createNameMatcher } from '../../plugins/speed/cache/patterns.ts'
import { itCostsInProportion } from '../host/proportional.ts'

describe('A pattern of excluded paths costs in proportion to the length of the path', () => {
  itCostsInProportion('createNameMatcher', createNameMatcher([`${'*a'.repeat(20)}b`, '/*/*/*/*/edit']))
})
