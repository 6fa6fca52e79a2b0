import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../../../api/query.ts'
import { __, sprintf } from '../../../i18n.ts'
import { pageData } from '../../../page-data.ts'
import { formatAgo } from '../../../parts/format.ts'
import type { ContentType } from '../types.ts'
import { type Changes, realChanges } from './fields.ts'
import { forgetLocally, localCopy } from './local-copy.ts'
import type { Autosave } from './use-autosave.ts'
import type { Edited } from './use-edited.ts'

interface Found {
  readonly changes: Changes
  readonly at: string
}

/** Offers to restore unsaved changes from this browser or from an autosave on the server. */
export function Recovery({ type, edited }: { type: ContentType; edited: Edited }) {
  const [opened] = useState(() => ({ id: edited.post?.id, modified: edited.post?.modified_gmt ?? '' }))
  const [here] = useState(() => localCopy(type.slug, opened.id))
  const [isDone, setDone] = useState(false)
  const path = `wp/v2/${type.rest_base}/${opened.id}/autosaves`
  const hasAutosaves = opened.id !== undefined && type.supports.revisions === true
  const autosaves = useRead<readonly Autosave[]>(path, { context: 'edit' }, { enabled: hasAutosaves })
  const there = autosaves.data?.find(
    ({ author, modified_gmt: at }) => author === pageData.user.id && at > opened.modified,
  )
  const candidates: Found[] = [
    ...(here ? [here] : []),
    ...(there ? [{ changes: textsOf(there), at: `${there.modified_gmt}Z` }] : []),
  ].filter(({ changes }) => Object.keys(realChanges(edited.stored, changes)).length > 0)
  const [newest] = candidates.toSorted((one, other) => other.at.localeCompare(one.at))
  if (isDone || !newest) return null
  if (edited.isDirty) return null
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<IconHistory aria-hidden />}
      title={__('Unsaved changes found', 'pentad')}
    >
      <Text size="sm" mb="xs">
        {sprintf(
          __('They are from %s. Restore them to the editor, then save, or discard them.', 'pentad'),
          formatAgo(newest.at),
        )}
      </Text>
      <Group gap="xs">
        <Button
          size="xs"
          onClick={() => {
            edited.set(newest.changes)
            setDone(true)
          }}
        >
          {__('Restore', 'pentad')}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            forgetLocally(type.slug, opened.id)
            setDone(true)
          }}
        >
          {__('Discard', 'pentad')}
        </Button>
      </Group>
    </Alert>
  )
}

function textsOf({ title, content, excerpt }: Autosave): Changes {
  return {
    title: title.raw,
    ...(content && { content: content.raw }),
    ...(excerpt && { excerpt: excerpt.raw }),
  }
}
