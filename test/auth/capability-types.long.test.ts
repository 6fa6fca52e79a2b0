import { expect } from 'chai'
import { createRoles } from '../../core/auth/roles.ts'
import { errorsIn, offeredAt } from '../support/compile.ts'

const DECLARATIONS = `
  import type { ExtensionHost, PostTypeCapabilities } from 'pentad'
  import { z } from 'zod'

  declare module 'pentad' {
    interface Capabilities extends PostTypeCapabilities<'tent', 'tents'> {
      manage_camp: true
      pitch_tent: [tentId: number]
    }
  }

  declare const { auth, rest, admin, abilities, currentUserCan }: ExtensionHost
  declare const name: string
`
const errorsOf = (code: string) => errorsIn(code, DECLARATIONS)
const route = (access: string) =>
  `rest.registerRoute('camp/v1', { method: 'GET', path: '/tents', access: ${access}, handler: () => [] })`

describe('the types of capabilities', () => {
  describe('compile', () => {
    it('every capability of the default roles', () => {
      const capabilities = [...createRoles().all().values()].flatMap((role) => [...role.capabilities])
      const named = [...new Set(capabilities)].filter((capability) => !/^level_\d+$/.test(capability))
      expect(named.length).to.be.at.least(50)
      expect(errorsOf(named.map((capability) => `auth.has(null, '${capability}')`).join('\n'))).to.equal('')
    })

    it('what an extension declares, and the capabilities of its post types', () => {
      expect(
        errorsOf(`
          auth.addRole('warden', 'Warden', ['read', 'manage_camp', 'edit_tents', 'delete_others_tents'])
          const general: boolean = currentUserCan('manage_camp')
          const ofTent: Promise<boolean> = currentUserCan('edit_tent', 7)
          auth.can(null, 'pitch_tent', 7)
          auth.can(null, 'edit_post_meta', 7, 'color')
          ${route("'publish_tents'")}
          ${route("'public'")}
        `),
      ).to.equal('')
    })

    it('a name that is known only at run time', () => {
      expect(
        errorsOf(`
          const general: boolean = currentUserCan(name)
          const about: Promise<boolean> = currentUserCan(\`edit_\${name}\`, 7)
          auth.addCapabilities('editor', [name])
          admin.addPage({ slug: 'camp', title: 'Camp', capability: name, parts: [] })
          ${route('name')}
          ${route("('edit_' + name)")}
          ${route('({ can }) => can(name)')}
        `),
      ).to.equal('')
    })
  })

  describe('refuse', () => {
    it('an undeclared capability, wherever one is named', () => {
      const unknown = `Unknown capability strike_camp. Check its spelling, or declare it with declare module 'pentad'.`
      for (const code of [
        "auth.can(null, 'strike_camp')",
        "auth.has(null, 'strike_camp')",
        "currentUserCan('strike_camp')",
        "auth.addRole('warden', 'Warden', ['read', 'strike_camp'])",
        "auth.addCapabilities('editor', ['strike_camp'])",
        "admin.addPage({ slug: 'camp', title: 'Camp', capability: 'strike_camp', parts: [] })",
        `abilities.register({ name: 'camp/strike', label: 'Strike', description: 'Strikes the camp.', category: 'content',
          output: z.object({}), permission: 'strike_camp', readonly: false, execute: () => ({}) })`,
        route("'strike_camp'"),
        route("({ can }) => can('strike_camp')"),
      ]) {
        expect(errorsOf(code), code).to.contain(unknown)
      }
    })

    it('a slip, and ask whether the right one was meant', () => {
      expect(errorsOf(route("'mange_options'"))).to.contain('Did you mean manage_options?')
      expect(errorsOf("currentUserCan('manage-camp')")).to.contain('Did you mean manage_camp?')
    })

    it('one about a post, comment or user without its id', () => {
      expect(errorsOf("auth.can(null, 'edit_post')")).to.match(/Expected 3 arguments, but got 2/)
      expect(errorsOf("currentUserCan('edit_tent')")).to.match(/Expected 2 arguments, but got 1/)
      expect(errorsOf("currentUserCan('edit_post', 'seven')")).to.match(/'string' is not assignable/)
      const withoutId = `edit_post needs the ID of an object: can('edit_post', id).`
      for (const code of [
        route("'edit_post'"),
        "auth.has(null, 'edit_post')",
        "auth.addRole('x', 'X', ['edit_post'])",
      ]) {
        expect(errorsOf(code), code).to.contain(withoutId)
      }
      expect(errorsOf("if (currentUserCan('edit_post', 7)) auth.roles()")).to.match(/always return true/)
    })

    it('a role', () => {
      expect(errorsOf("auth.has(null, 'administrator')")).to.contain('administrator is a role, not a capability')
    })
  })

  it('offer an editor every declared capability, and no error', () => {
    const offered = offeredAt("auth.can(null, '')", DECLARATIONS)
    expect(offered).to.include.members(['manage_options', 'edit_post', 'edit_posts', 'manage_camp', 'edit_tents'])
    expect(offered.filter((name) => / /.test(name))).to.deep.equal([])
    const general = offeredAt(
      `rest.registerRoute('x/v1', { method: 'GET', path: '/', handler: () => 1, access: '' })`,
      DECLARATIONS,
    )
    expect(general).to.include.members(['manage_options', 'manage_camp']).and.not.include('edit_post')
  })
})
