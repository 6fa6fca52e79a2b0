import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..')
const Lock = z.object({
  packages: z.record(z.string(), z.object({ license: z.string().optional(), dev: z.boolean().optional() })),
})

/** GNU's General Public License and its kin; the Lesser one leaves those who link to a library free. */
const COPYLEFT = /\b(?:AGPL|GPL|SSPL|EUPL)\b/

describe('licenses', () => {
  it('of the packages that are installed in production let the product be MIT', () => {
    const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
    const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
    expect(shipped).not.to.have.length(0)
    const refused = shipped.filter(([, { license = '' }]) => COPYLEFT.test(license) && !/\bOR\b/.test(license))
    expect(refused.map(([path, { license }]) => `${path}: ${license}`)).to.deep.equal([])
  })
})
