import { Code, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { __ } from '../../i18n.ts'
import { Section } from '../../parts/section.tsx'
import { SiteForm } from './site-form.tsx'
import type { SiteSettings } from './site-settings.ts'

/** WordPress's permalink structures and their names. */
const STRUCTURES: readonly (readonly [structure: string, name: string, sample: string])[] = [
  ['', __('Plain', 'pentad'), '/?p=123'],
  ['/%year%/%monthnum%/%day%/%postname%/', __('Day and name', 'pentad'), '/2026/11/23/sample-post/'],
  ['/%year%/%monthnum%/%postname%/', __('Month and name', 'pentad'), '/2026/11/sample-post/'],
  ['/archives/%post_id%', __('Numeric', 'pentad'), '/archives/123'],
  ['/%postname%/', __('Post name', 'pentad'), '/sample-post/'],
]
const CUSTOM = 'custom'
const TAGS = '%year% %monthnum% %day% %hour% %minute% %second% %post_id% %postname% %category% %author%'

/** The URLs of posts and archives. */
export default function Permalinks() {
  return (
    <SiteForm title={__('Permalink settings', 'pentad')}>
      {({ values, set, fieldErrors }) => (
        <>
          <Structure values={values} set={set} error={fieldErrors.permalink_structure} />
          <Section title={__('Category and tag URLs', 'pentad')}>
            <TextInput
              label={__('Category base', 'pentad')}
              description={__('Prefix of category URLs. Leave empty to use “category”.', 'pentad')}
              value={values.category_base}
              error={fieldErrors.category_base}
              onChange={({ currentTarget }) => set({ category_base: currentTarget.value })}
            />
            <TextInput
              label={__('Tag base', 'pentad')}
              description={__('Prefix of tag URLs. Leave empty to use “tag”.', 'pentad')}
              value={values.tag_base}
              error={fieldErrors.tag_base}
              onChange={({ currentTarget }) => set({ tag_base: currentTarget.value })}
            />
          </Section>
        </>
      )}
    </SiteForm>
  )
}

function Structure({
  values,
  set,
  error,
}: {
  values: SiteSettings
  set(changes: Partial<SiteSettings>): void
  error: string | undefined
}) {
  const structure = values.permalink_structure
  const [isCustom, setCustom] = useState(false)
  const isKnown = STRUCTURES.some(([known]) => known === structure)
  const isOwn = isCustom || !isKnown
  return (
    <Section title={__('Post URLs', 'pentad')}>
      <Radio.Group
        label={__('Permalink structure', 'pentad')}
        description={__('Old post URLs are redirected to the new ones.', 'pentad')}
        value={isOwn ? CUSTOM : structure}
        onChange={(value) => {
          setCustom(value === CUSTOM)
          if (value !== CUSTOM) set({ permalink_structure: value })
        }}
      >
        <Stack gap={6} mt={6}>
          {STRUCTURES.map(([known, name, sample]) => (
            <Radio key={name} value={known} label={name} description={<Code>{sample}</Code>} />
          ))}
          <Radio value={CUSTOM} label={__('Custom structure', 'pentad')} />
        </Stack>
      </Radio.Group>
      {isOwn && (
        <TextInput
          label={__('Custom structure', 'pentad')}
          description={TAGS}
          value={structure}
          error={error}
          onChange={({ currentTarget }) => set({ permalink_structure: currentTarget.value })}
        />
      )}
    </Section>
  )
}
