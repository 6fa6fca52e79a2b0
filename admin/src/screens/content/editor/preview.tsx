import { Anchor, Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Responses } from '../../../api/responses.ts'
import { change } from '../../../api/rest.ts'
import { __ } from '../../../i18n.ts'
import { DeviceChoice } from '../../../parts/device-choice.tsx'
import { notifyFailed } from '../../../parts/notify.ts'
import { PagePreview } from '../../../parts/page-preview.tsx'
import type { ContentType } from '../types.ts'
import { bodyOf } from './fields.ts'
import classes from './preview.module.css'
import type { Edited } from './use-edited.ts'
import type { Saving } from './use-saving.ts'

type Previewed = Responses['POST /wp/v2/posts/{id}/preview']

interface PreviewProps {
  readonly type: ContentType
  readonly edited: Edited
  readonly saving: Saving
}

/** Shows the post as it would look after saving. Only a new post is saved first: it has no URL yet. */
export function Preview({ type, edited: { post, stored, changes }, saving }: PreviewProps) {
  const [device, setDevice] = useState('wide')
  const [isBusy, setBusy] = useState(false)
  const [address, setAddress] = useState<string>()

  async function open(): Promise<void> {
    setBusy(true)
    try {
      const id = (post ?? (await saving.save()))?.id
      if (id === undefined) return
      const body = post ? bodyOf(stored, changes, type) : {}
      const path = `wp/v2/${type.rest_base}/${id}/preview`
      setAddress((await change<Previewed>('POST', path, body)).link)
    } catch (error) {
      notifyFailed(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button variant="default" loading={isBusy} disabled={saving.isBusy} onClick={() => void open()}>
        {__('Preview', 'pentad')}
      </Button>
      {address !== undefined && (
        <Modal opened onClose={() => setAddress(undefined)} fullScreen title={__('Preview', 'pentad')}>
          <Group mb="sm" justify="space-between">
            <DeviceChoice value={device} onChange={setDevice} />
            <Anchor href={address} target="_blank">
              {__('Open in new tab', 'pentad')}
            </Anchor>
          </Group>
          <PagePreview className={classes.page} device={device} src={address} />
        </Modal>
      )}
    </>
  )
}
