import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { __, sprintf } from '../../../i18n.ts'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { DiffView } from '../../../parts/diff-view.tsx'
import { formatAgo } from '../../../parts/format.ts'
import type { StoredPost } from './fields.ts'
import type { Edited } from './use-edited.ts'
import type { Saving } from './use-saving.ts'

interface ConflictProps {
  readonly edited: Edited
  readonly saving: Saving
  /** The stored version, which the user has not seen. */
  readonly theirs: StoredPost
}

/**
 * Resolves an edit conflict: another user or tab has saved the post. Nothing is overwritten without the user's decision.
 */
export function Conflict({ edited, saving, theirs }: ConflictProps) {
  const { fields, discard } = edited
  return (
    <Modal opened onClose={saving.settleConflict} size="xl" title={__('A newer version has been saved', 'pentad')}>
      <Stack>
        <Alert color="yellow" role="alert">
          {sprintf(
            __('It was saved %s by another user or in another tab. Your changes are still in the editor.', 'pentad'),
            formatAgo(theirs.modified_gmt),
          )}
        </Alert>
        <Text fw={600} size="sm">
          {__('Saved version compared with yours', 'pentad')}
        </Text>
        <DiffView
          before={{ title: theirs.title.raw, content: theirs.content?.raw ?? '', excerpt: theirs.excerpt?.raw ?? '' }}
          after={{ title: fields.title, content: fields.content, excerpt: fields.excerpt }}
        />
        <Group>
          <Button
            onClick={() => {
              discard(theirs)
              saving.settleConflict()
            }}
          >
            {__('Use saved version', 'pentad')}
          </Button>
          <Button
            color="red"
            variant="light"
            onClick={() => {
              saving.settleConflict()
              void saving.save({}, { overwrites: true })
            }}
          >
            {__('Overwrite with my version', 'pentad')}
          </Button>
          <CopyButton value={`${fields.title}\n\n${fields.content}`} label={__('Copy my version', 'pentad')} />
        </Group>
      </Stack>
    </Modal>
  )
}
