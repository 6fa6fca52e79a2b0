import { Anchor, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { __ } from '../../../i18n.ts'
import { DeviceChoice } from '../../../parts/device-choice.tsx'
import { previewOf } from '../list/row-actions.tsx'
import type { StoredPost } from './fields.ts'
import classes from './preview.module.css'

/** Previews the post with unsaved changes, from the user's own autosave. */
export function Preview({ post, onClose }: { post: StoredPost; onClose: () => void }) {
  const [device, setDevice] = useState('wide')
  const address = previewOf(post.link)
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
