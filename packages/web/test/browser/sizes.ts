/** The screen sizes that the console is tested with. */
export const SIZES = {
  desktop: { viewport: { width: 1600, height: 1000 } },
  laptop: { viewport: { width: 1280, height: 720 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

/** The names of the screen sizes. */
export const SIZE_NAMES = Object.keys(SIZES) as readonly (keyof typeof SIZES)[];
