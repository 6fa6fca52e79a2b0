import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { discussionSchema } from '../../cms/content/discussion/index.ts'
import { generatePages } from '../../docs/generate.ts'
import { collectHooks } from '../../docs/hook-reference.ts'

const root = join(import.meta.dirname, '../..')

/** Contract 2.2. */
const REQUIRED = [
  'init', 'rest_api_init', 'template_redirect', 'wp_head', 'wp_body_open', 'wp_footer', 'the_title', 'the_content',
  'the_excerpt', 'document_title', 'robots_txt', 'wp_headers', 'save_post', 'before_delete_post', 'deleted_post',
  'transition_post_status', 'wp_login', 'wp_login_failed', 'wp_logout', 'user_register', 'map_meta_cap', 'user_has_cap',
  'pre_update_option', 'updated_option', 'wp_mail', 'wp_mail_failed', 'cron_schedules', 'rest_pre_dispatch',
  'rest_post_dispatch', 'activated_plugin', 'deactivated_plugin', 'shutdown', 'page_html',
] // biome-ignore format: a list to read

const pages = await generatePages(join(import.meta.dirname, '../..'))

describe('The reference', () => {
  const hooks = collectHooks(root)

  for (const name of REQUIRED) {
    it(`documents the core hook ${name}`, () => {
      const hook = hooks.find((candidate) => candidate.name === name)
      expect(hook, `${name} is not declared`).to.not.equal(undefined)
      expect(hook?.description.trim(), `${name} has no description`).to.not.equal('')
    })
  }

  it('declares no hook without a description, and none twice', () => {
    expect(hooks.filter((hook) => hook.description.trim() === '').map((hook) => hook.name)).to.deep.equal([])
    const names = hooks.map((hook) => hook.name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).to.deep.equal([])
  })

  it('documents the arguments of hook families whose members include other hooks', () => {
    const hook = hooks.find(({ name }) => name === 'draft_{…}')
    expect(hook?.parameters).to.equal('postId, post, oldStatus')
  })

  it('says every setting of discussion, with its default', () => {
    const rows = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8').split('\n')
    for (const [name, value] of Object.entries(discussionSchema.parse({}))) {
      const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${name}\``))
      expect(row, name).to.be.a('string')
      if (value !== '') expect(row).to.contain(`\`${value}\``)
    }
  })

  it('says each difference from WordPress once, each part under one heading', () => {
    const lines = readFileSync(join(root, 'docs/reference/wordpress.md'), 'utf8').split('\n')
    const subject = (line: string) => line.split(' | ')[0]?.trim() ?? ''
    const rows = lines.filter((line) => /^\| [^ -]/.test(line)).map(subject)
    const said = [...rows, ...lines.filter((line) => line.startsWith('#'))]
    expect(rows).to.have.length.greaterThan(40)
    expect(said.filter((name, at) => said.indexOf(name) !== at)).to.deep.equal([])
  })

  for (const [path, text] of pages) {
    it(`${path} is what npm run docs makes`, () => {
      expect(readFileSync(join(root, path), 'utf8')).to.equal(text)
    })
  }
})
