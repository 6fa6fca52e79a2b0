import { NumberInput, Select, Stack, Switch, Textarea } from '@mantine/core'
import { useRead } from '../../../../api/query.ts'
import type { Responses } from '../../../../api/responses.ts'
import { __ } from '../../../../i18n.ts'
import { can, pageData } from '../../../../page-data.ts'
import { Section } from '../../../../parts/section.tsx'
import { SETTINGS } from '../../../../parts/site-title.ts'
import { UserSelect } from '../../../users/user-select.tsx'
import type { ContentType } from '../../types.ts'
import { hasField } from '../fields.ts'
import type { Edited } from '../use-edited.ts'
import { PageParent } from './page-parent.tsx'

/** The settings of a post other than its content, its terms, and its publication. */
export function Attributes({ type, edited }: { type: ContentType; edited: Edited }) {
  const { fields, set } = edited
  const has = (name: string) => hasField(type, name)
  // Also after it was changed on this page.
  const { data: settings } = useRead<Responses['Settings']>(SETTINGS, undefined, { enabled: false })
  const commentDefault =
    type.slug === 'page' ? 'closed' : (settings?.default_comment_status ?? pageData.site.defaultCommentStatus)
  const pingDefault =
    type.slug === 'post' ? (settings?.default_ping_status ?? pageData.site.defaultPingStatus) : 'closed'
  const isEditor = can(type.capabilities.edit_others_posts ?? 'edit_others_posts')
  return (
    <Section title={type.labels.attributes ?? __('Attributes', 'pentad')}>
      <Stack gap="sm">
        {has('excerpt') && (
          <Textarea
            label={__('Excerpt', 'pentad')}
            description={__('Shown in lists and archives. Leave empty to use the beginning of the content.', 'pentad')}
            autosize
            minRows={2}
            maxRows={8}
            value={fields.excerpt}
            onChange={(event) => set({ excerpt: event.currentTarget.value })}
          />
        )}
        {has('author') && isEditor && (
          <UserSelect
            label={__('Author', 'pentad')}
            query={{ who: 'authors' }}
            value={fields.author}
            onChange={(author) => set({ author })}
          />
        )}
        {has('parent') && <PageParent type={type} edited={edited} />}
        {has('menu_order') && (
          <NumberInput
            label={__('Order', 'pentad')}
            value={fields.menu_order}
            allowDecimal={false}
            onChange={(order) => set({ menu_order: Number(order) || 0 })}
          />
        )}
        <Template type={type} value={fields.template} onChange={(template) => set({ template })} />
        {has('comment_status') && (
          <>
            <Switch
              label={__('Allow comments', 'pentad')}
              checked={(fields.comment_status || commentDefault) === 'open'}
              onChange={(event) => set({ comment_status: event.currentTarget.checked ? 'open' : 'closed' })}
            />
            <Switch
              label={__('Allow pingbacks', 'pentad')}
              checked={(fields.ping_status || pingDefault) === 'open'}
              onChange={(event) => set({ ping_status: event.currentTarget.checked ? 'open' : 'closed' })}
            />
          </>
        )}
        {has('sticky') && isEditor && (
          <Switch
            label={__('Stick to the top of the blog', 'pentad')}
            checked={fields.sticky}
            disabled={fields.password !== ''}
            onChange={(event) => set({ sticky: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </Section>
  )
}

interface TemplateProps {
  readonly type: ContentType
  readonly value: string
  readonly onChange: (template: string) => void
}

/** A template that the current theme does not have stays selected. */
function Template({ type: { templates }, value, onChange }: TemplateProps) {
  const names = [...new Set([...Object.keys(templates), value])].filter((name) => name !== '')
  if (names.length === 0) return null
  const data = names.map((name) => ({ value: name, label: templates[name] ?? name }))
  return (
    <Select
      label={__('Template', 'pentad')}
      data={[{ value: '', label: __('Default template', 'pentad') }, ...data]}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
