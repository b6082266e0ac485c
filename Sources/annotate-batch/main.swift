import Commands

AnnotateCommand().main()
