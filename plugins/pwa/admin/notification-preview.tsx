import { Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import { useImage } from 'pentad/admin/screens/media/image-field.tsx'
import { largeOf, thumbnailOf } from 'pentad/admin/screens/media/media-item.ts'
import { useSettingValues } from 'pentad/admin/settings/use-settings.ts'
import type { Draft } from './draft.ts'
import classes from './notification-preview.module.css'

/** Previews a notification on Android and on a desktop. */
export function NotificationPreview({ draft }: { draft: Draft }) {
  const { appIcon, appName } = useSettingValues('pwa')
  const icon = useImage(Number(appIcon ?? 0)).data
  const picture = useImage(draft.image).data
  const shown = {
    draft,
    app: String(appName || pageData.site.title),
    icon: icon && thumbnailOf(icon),
    image: draft.image > 0 && picture ? largeOf(picture) : undefined,
  }
  return (
    <div className={classes.looks}>
      <Look label={__('Android', 'pentad')} className={classes.android} {...shown} />
      <Look label={__('Desktop', 'pentad')} className={classes.desktop} {...shown} />
    </div>
  )
}

interface LookProps {
  readonly label: string
  readonly className: string | undefined
  readonly draft: Draft
  readonly app: string
  readonly icon: string | undefined
  readonly image: string | undefined
}

function Look({ label, className, draft: { title, message, buttons }, app, icon, image }: LookProps) {
  return (
    <figure className={classes.look} aria-label={label}>
      <Text size="xs" c="dimmed" component="figcaption" mb={4}>
        {label}
      </Text>
      <div className={className}>
        <div className={classes.from}>
          {icon ? <img className={classes.icon} src={icon} alt="" /> : <span className={classes.icon} />}
          {app} · {new URL(pageData.site.url).host}
        </div>
        <div className={classes.title}>{title || __('Title', 'pentad')}</div>
        <div className={classes.body}>{message}</div>
        {image && <img className={classes.image} src={image} alt="" />}
        {buttons.length > 0 && (
          <div className={classes.actions}>
            {buttons.map(({ id, text }) => (
              <span key={id}>{text || '…'}</span>
            ))}
          </div>
        )}
      </div>
    </figure>
  )
}
