import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { __, sprintf } from '../../../../i18n.ts'
import { readable } from '../../../../parts/plain-text.ts'
import type { ContentType } from '../../types.ts'
import type { Edited } from '../use-edited.ts'

/** The current or future URL of the post; empty until it is first saved. */
export function addressOf({ fields, post }: Edited): string {
  const slug = fields.slug || post?.generated_slug || '…'
  return post?.permalink_template?.replace(/%(postname|pagename)%/, slug) ?? ''
}

/** The permalink of a post with an editable slug; of a new one, only the slug is known. */
export function Permalink({ type, edited }: { type: ContentType; edited: Edited }) {
  const { fields, post, set } = edited
  const [typed, setTyped] = useState<string>()
  if (post ? !post.permalink_template : !type.viewable) return null
  const address = post ? readable(addressOf(edited)) : slugOf(edited)
  if (typed === undefined) {
    return (
      <Group gap="xs">
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {post?.status === 'publish' ? (
            <Anchor size="sm" href={post.link} target="_blank">
              <bdi>{address}</bdi>
            </Anchor>
          ) : (
            <bdi>{address}</bdi>
          )}
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => setTyped(fields.slug || post?.generated_slug || '')}>
          {__('Edit URL', 'pentad')}
        </Button>
      </Group>
    )
  }
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        label={__('Slug', 'pentad')}
        size="xs"
        value={typed}
        autoFocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        size="xs"
        onClick={() => {
          set({ slug: typed.trim() })
          setTyped(undefined)
        }}
      >
        {__('Apply', 'pentad')}
      </Button>
      <Button size="xs" variant="subtle" onClick={() => setTyped(undefined)}>
        {__('Cancel', 'pentad')}
      </Button>
    </Group>
  )
}

function slugOf({ fields: { slug } }: Edited): string {
  return slug === ''
    ? __('The URL is created from the title when you save.', 'pentad')
    : sprintf(__('Slug: %s', 'pentad'), slug)
}
