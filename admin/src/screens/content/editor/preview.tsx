import { Anchor, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { __ } from '../../../i18n.ts'
import { previewOf } from '../list/row-actions.tsx'
import { DeviceChoice } from './device-choice.tsx'
import type { StoredPost } from './fields.ts'
import classes from './preview.module.css'

/** The post on its page, with what is not saved yet: the user's own autosave. */
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
      {/* Scripts of the page get nothing of the admin's. */}
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
