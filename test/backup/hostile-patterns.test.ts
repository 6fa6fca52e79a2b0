import { createGlob } from '../../plugins/backup/glob.ts'
import { itCostsInProportion } from '../host/proportional.ts'

describe('A pattern of excluded files costs in proportion to the length of the path', () => {
  itCostsInProportion('createGlob', createGlob(`${'*a'.repeat(20)}b`))
})
