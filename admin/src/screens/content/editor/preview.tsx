import { Anchor, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { __ } from '../../../i18n.ts'
import { DeviceChoice } from '../../../parts/device-choice.tsx'
import { previewOf } from '../list/row-actions.tsx'
import type { Changes, StoredPost } from './fields.ts'
import classes from './preview.module.css'

interface PreviewProps {
  readonly post: StoredPost
  readonly changes: Changes
  readonly onClose: () => void
}

/** Previews the post with unsaved changes: the text from the user's own autosave, the rest from the address. */
export function Preview({ post, changes, onClose }: PreviewProps) {
  const [device, setDevice] = useState('wide')
  const address = withChanges(previewOf(post.link), changes)
  return (
    <Modal opened onClose={onClose} fullScreen title={__('Preview', 'pentad')}>
      <Group mb="sm" justify="space-between">
        <DeviceChoice value={device} onChange={setDevice} />
        <Anchor href={address} target="_blank">
          {__('Open in new tab', 'pentad')}
        </Anchor>
      </Group>
      {/* The sandbox gives scripts of the page no access to the admin. */}
      <iframe
        className={classes.page}
        data-device={device}
        title={__('Preview', 'pentad')}
        src={address}
        sandbox="allow-scripts"
      />
    </Modal>
  )
}

function withChanges(address: string, { featured_media: image, terms, template, author, date }: Changes): string {
  const url = new URL(address)
  const values = {
    _thumbnail_id: image,
    preview_terms: terms && Object.values(terms).flat().join(','),
    preview_template: template,
    preview_author: author,
    preview_date: date || undefined,
  }
  for (const [name, value] of Object.entries(values)) if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}
