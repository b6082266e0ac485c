import Commands
import Stages

// Every command of annotate-batch, with a stage, its kind of result and a form of results more.
AnnotateCommand(
    stages: .standard.adding([BrightnessBlueprint.self]), sinks: [BrightnessSink.self], name: "brightness",
    version: "brightness 1.0"
).main()
