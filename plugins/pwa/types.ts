/** One icon as the manifest and `POST /pwa-assets/save` name it. */
export interface Icon {
  /** Path on the site. */
  readonly src: string
  /** `192x192` */
  readonly sizes: string
  readonly type: string
  readonly purpose: 'any' | 'maskable' | 'monochrome'
}

/** A splash screen of an Apple device. */
export interface SplashScreen {
  /** Path on the site. */
  readonly src: string
  /** Media query of the device and how it is turned. */
  readonly media: string
}
